# SPDX-License-Identifier: MIT
# Compile the programs for the batches. All folders of a user share them, so they are not outputs: Snakemake removes
# the outputs of jobs that fail or run again. A stamp says that a program exists.


# The scenario's program, and the libraries of variants with their own code.
rule compile:
    output:
        stamp=touch(JOBS / "compile" / "{program}.done"),
    log:
        JOBS / "compile" / "{program}.log",
    benchmark:
        JOBS / "compile" / "{program}.tsv"
    localrule: True
    threads: 2
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        tcpsweep=RUN.tcpsweep,
        program=lambda wildcards: PLAN.source(wildcards.program),
        ns3=PLAN.compile_options,
    message:
        "compile {wildcards.program} with ns-3"
    shell:
        "{params.tcpsweep} compile {params.program:q} {params.ns3:q} 2> {log:q}"


# The library that reads captures.
rule decoder:
    output:
        stamp=touch(JOBS / "decoder" / "packets.done"),
    log:
        JOBS / "decoder" / "packets.log",
    benchmark:
        JOBS / "decoder" / "packets.tsv"
    localrule: True
    threads: 2
    resources:
        mem_mb=1000,
        runtime=15,
    params:
        tcpsweep=RUN.tcpsweep,
    message:
        "compile the library that reads captures"
    shell:
        "{params.tcpsweep} decoder 2> {log:q}"
