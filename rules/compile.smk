# SPDX-License-Identifier: MIT
# What the cells' jobs need and what is not compiled yet. It goes where all folders of a user share it, so it is no output:
# Snakemake removes those of jobs that fail or are run again. A stamp says that it is there.


# The scenario's program, and the libraries of variants of ours.
rule compile:
    output:
        stamp=touch("results/plans/compile/{program}.done"),
    log:
        "results/logs/compile/{program}.log",
    benchmark:
        "results/benchmarks/compile/{program}.tsv"
    threads: 2
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        ns3=PLAN.compile_options,
    shell:
        "tcpsweep compile {wildcards.program} {params.ns3:q} 2> {log}"


# What reads captures.
rule decoder:
    output:
        stamp=touch("results/plans/decoder/packets.done"),
    log:
        "results/logs/decoder/packets.log",
    benchmark:
        "results/benchmarks/decoder/packets.tsv"
    threads: 2
    resources:
        mem_mb=1000,
        runtime=15,
    shell:
        "tcpsweep decoder 2> {log}"
