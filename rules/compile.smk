# SPDX-License-Identifier: MIT
# Compile what the cells' jobs need. Programs go to a place that all folders of a user share, so they are no outputs:
# Snakemake removes the outputs of jobs that fail or run again. A stamp says that a program is there.


# The scenario's program, and the libraries of our own variants.
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


# The library that reads captures.
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
