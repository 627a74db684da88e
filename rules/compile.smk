# SPDX-License-Identifier: MIT
# A scenario's program. Its folder carries the identity of its sources, so it has no inputs and never grows old.


rule compile:
    output:
        PLAN.binary,
    log:
        f"{PLAN.binary.parent}.rule.log",
    benchmark:
        f"{PLAN.binary.parent}.benchmark.tsv"
    localrule: True
    threads: 2
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        scenario=PLAN.sweep.scenario,
        ns3=PLAN.compile_options,
    shell:
        "tcpsweep compile {params.scenario} {params.ns3:q} 2> {log:q}"


# A variant of ours, the library that cells load which use it, likewise.
rule variant:
    output:
        f"{PLAN.binary.parent.parent}/{{variant}}-{{id}}/lib{{variant}}.so",
    log:
        f"{PLAN.binary.parent.parent}/{{variant}}-{{id}}.rule.log",
    benchmark:
        f"{PLAN.binary.parent.parent}/{{variant}}-{{id}}.benchmark.tsv"
    localrule: True
    threads: 2
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        ns3=PLAN.compile_options,
    shell:
        "tcpsweep compile variants/{wildcards.variant} {params.ns3:q} 2> {log:q}"


if PLAN.decoder:

    # What reads the captures of the cells, likewise.
    rule decoder:
        output:
            PLAN.decoder,
        log:
            f"{PLAN.decoder.parent}.rule.log",
        benchmark:
            f"{PLAN.decoder.parent}.benchmark.tsv"
        localrule: True
        threads: 2
        resources:
            mem_mb=1000,
            runtime=15,
        shell:
            "tcpsweep decoder 2> {log:q}"
