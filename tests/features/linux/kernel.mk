# SPDX-License-Identifier: MIT
# The targets that a build of a kernel asks for. This kernel is a program that ends at once.
allnoconfig:
	test -f $(KCONFIG_ALLCONFIG)
linux:
	mkdir -p $(O)/include/config
	echo 6.12.3$(LOCALVERSION) > $(O)/include/config/kernel.release
	echo 'int main(void) { return 0; }' > $(O)/linux.c
	$(CC) -o $(O)/linux $(O)/linux.c
