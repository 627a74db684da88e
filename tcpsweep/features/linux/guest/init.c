// SPDX-License-Identifier: MIT
/*
 * The first process inside a User-Mode Linux: it runs one command, writes its wait status, and ends the kernel.
 *
 * The kernel's root is the root of the host's files, read-only. The folder in which the kernel was started has the
 * file `command`: the folder that the command may write to, the one that it starts in, and its arguments, each with a
 * zero byte at its end. The status goes into the file `status` there. A path in the kernel's command line would change the kernel's
 * random numbers, so there is none: this program asks for that folder by /proc/self/cwd, which is the host's.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

static char text[1 << 20];
static char *arguments[1 << 14];

static const char *const links[][2] = {
    {"/proc/self/fd", "/dev/fd"},
    {"/proc/self/fd/0", "/dev/stdin"},
    {"/proc/self/fd/1", "/dev/stdout"},
    {"/proc/self/fd/2", "/dev/stderr"},
};

/*
 * The C library chooses by the processor's features: the folders in which it looks for libraries, which takes time here, and
 * functions such as exp(), whose results differ in the last bit. Without these features, it chooses the same everywhere.
 */
static const char features[] = "glibc.cpu.hwcaps=-AVX512F,-AVX2,-FMA,-FMA4";

static void fail(const char *what)
{
    perror(what);
    sync();
    reboot(RB_POWER_OFF);
    exit(1);
}

static void make_writable(const char *folder)
{
    /* The host's times of access decide whether a read would change one. Writing it back takes timers, which change random numbers. */
    if (mount("none", folder, "hostfs", MS_NOATIME, folder) != 0) {
        fail(folder);
    }
}

static int run(const char *log, const char *place)
{
    pid_t child = fork();
    if (child == 0) {
        if (chdir(place) != 0) {
            perror(place);
            _exit(127);
        }
        int out = open(log, O_WRONLY | O_CREAT | O_APPEND, 0644);
        dup2(out, 1);
        dup2(out, 2);
        setenv("GLIBC_TUNABLES", features, 1);
        execv(arguments[0], arguments);
        perror(arguments[0]);
        _exit(127);
    }
    int status = 0;
    while (waitpid(child, &status, 0) != child) {
    }
    return status;
}

int main(void)
{
    static char here[4096];
    static char log[4200];
    if (chdir("/proc/self/cwd") != 0 || !getcwd(here, sizeof here)) {
        fail("the folder of the kernel");
    }
    int file = open("command", O_RDONLY);
    ssize_t size = read(file, text, sizeof text - 1);
    if (size <= 0) {
        fail("command");
    }
    const char *folder = text;
    const char *place = folder + strlen(folder) + 1;
    int count = 0;
    for (char *at = text + (place - text) + strlen(place) + 1; at < text + size && count + 1 < (int)(sizeof arguments / sizeof *arguments);
         at += strlen(at) + 1) {
        arguments[count++] = at;
    }
    mount("none", "/proc", "proc", 0, NULL);
    mount("none", "/sys", "sysfs", 0, NULL);
    mount("none", "/dev", "devtmpfs", 0, NULL);
    mkdir("/dev/net", 0755);
    mknod("/dev/net/tun", S_IFCHR | 0666, makedev(10, 200));
    /* For programs that are flows: memory that no other simulation shares, and the usual names of open files. */
    mkdir("/dev/shm", 01777);
    mount("none", "/dev/shm", "tmpfs", 0, "mode=1777");
    for (unsigned i = 0; i < sizeof links / sizeof *links; i++) {
        symlink(links[i][0], links[i][1]);
    }
    make_writable("/tmp"); /* for tmpfile(), which knows no other folder; the next two may be below it */
    make_writable(folder);
    make_writable(here);
    if (chdir(here) != 0) {
        fail(here);
    }
    snprintf(log, sizeof log, "%s/log.txt", folder);
    int status = run(log, place);
    FILE *out = fopen("status", "w");
    if (!out || fprintf(out, "%d\n", status) < 0 || fclose(out) != 0) {
        fail("status");
    }
    sync();
    reboot(RB_POWER_OFF);
    return 0;
}
