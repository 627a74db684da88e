# SPDX-License-Identifier: MIT
"""What a congestion control may call, and why it may not call the rest."""

from __future__ import annotations

import re
from collections.abc import Collection

_NESTED = re.compile(r"_Z(?:GV|T[ISTV])?(?:N[rVK]*[RO]?)?(S[tabsiod])?(.*)", re.DOTALL)
_STD = {"St": [], "Sa": ["allocator"], "Sb": ["basic_string"], "Ss": ["basic_string"]}
_STREAMS = {"Si": ["basic_istream"], "So": ["basic_ostream"], "Sd": ["basic_iostream"]}
# Classes and functions of ns-3 of which all may be called: values, attributes, time, logging, callbacks of traces.
_WHOLE = re.compile(
    r"(Boolean|DataRate|Double|Enum|Integer|String|Time|Uinteger|EmptyAttribute|Attribute)Value|Attribute(Accessor|Checker)"
    r"|AttributeConstructionList|TraceSourceAccessor|Make(Boolean|DataRate|String|Time|Enum)\w*(Checker|Accessor)"
    r"|MakeCallback|Callback\w*|Traced(Callback|Value)|DataRate|int64x64_t|FatalImpl|LogComponent"
    r"|LogGet(Node|Time)Printer|ParameterLogger|Demangle|TcpCongestionOps|TcpSocketState|TcpRate(Ops|Sample|Connection)"
    r"|SequenceNumber|internal|operator"
)
_METHODS = {
    "Time": r"(?!SetResolution|FreezeResolution|ConvertTimes).*",
    "Simulator": r"Now",
    "TypeId": r"|AddAttribute|AddTraceSource|(Do)?AddConstructor|Set(GroupName|Parent|Size)|Get(Name|Parent|Uid)",
    "ObjectBase": r"|NotifyConstructionCompleted|ConstructSelf|GetTypeId|SetAttribute|operator",
    "Object": r"|Construct|Do(Delete|Dispose|Initialize)|GetInstanceTypeId|GetTypeId|NotifyNewAggregate|SetTypeId",
}
_STANDARD = re.compile(
    r"(__cxx11::)?(basic_(string|ostream|istream|iostream|ios|streambuf|stringbuf|[io]?stringstream)|ios_base|ctype"
    r"|locale|cerr|cout|clog|endl|flush|terminate|__throw_\w+|__detail|_Rb_tree\w*|_Hash_bytes|__ostream_insert|getline|bad_\w+"
    r"|exception|\w+_error|type_info|nothrow|allocator|from_chars|to_chars|operator|get_new_handler|uncaught_\w+)(::.*)?"
)
_MATHEMATICS = re.compile(
    r"(a?(sin|cos|tan)h?|atan2|exp|exp2|exp10|expm1|log|log2|log10|log1p|logb|ilogb|pow|sqrt|cbrt|hypot|floor|ceil|trunc"
    r"|l?l?(round|rint)|nearbyint|fmod|remainder|remquo|fmin|fmax|fabs|fdim|fma|erfc?|[tl]gamma|ldexp|frexp|modf|scalbl?n"
    r"|nextafter|copysign|sincos)[fl]?|__(mul|div|u?div|u?mod|fix|fixuns|float|floatun|pow|add|sub|pop|clz|ctz)\w*(ti|di|[sdtx][fc])\w*"
)
_C = re.compile(
    r"(mem|wmem)(cpy|move|set|cmp|chr)|str(len|cmp|ncmp|chr|rchr|str|cpy|ncpy|tol|toul|toll|toull|tod|tof|told)|malloc|calloc"
    r"|realloc|free|aligned_alloc|abort|abs|labs|qsort|bsearch|v?sn?printf|v?printf|v?fprintf|puts|putchar|fputs|fputc|putc"
    r"|fwrite|fflush|stderr|stdout|__(v?f?printf|v?snprintf)_chk|__isoc\d+_strto\w+|isinf|isnan|isfinite|__assert_fail"
    r"|__stack_chk_fail|__errno_location|__libc_single_threaded|__dso_handle|_GLOBAL_OFFSET_TABLE_|__tls_get_addr"
    r"|_Unwind_Resume|__gxx_personality_v0|__dynamic_cast|__cxa_\w+|__cxa_thread_atexit|__gmon_start__|_ITM_\w+"
)
# The first group that a name matches says why it is refused.
_REASONS = (
    (
        r"ns3::(RandomVar|Rng|\w*RandomVariable)|std::(__cxx11::)?random_device|.*\b(s?rand|random|rand_r|drand48|getrandom)\b",
        "random numbers follow from the seed, and decisions must follow from what a sender sees",
    ),
    (
        r"ns3::(Simulator|EventImpl|EventId|MakeEvent)\b",
        "a congestion control may ask for the time, and acts only when it is called",
    ),
    (
        r"ns3::(Config|Names|Time|GlobalValue|ObjectFactory|CommandLine|ConfigStore)\b",
        "a sender does not read or change the simulation's settings",
    ),
    (
        r"ns3::(Object|ObjectBase|TypeId|PointerValue|ObjectPtrContainer\w*|MakePointer\w*)\b",
        "a sender does not look into other objects of the simulation",
    ),
    (r"ns3::", "a sender does not know the network"),
    (
        r"std::(filesystem|__cxx11::filesystem|basic_(filebuf|[io]?fstream)|__basic_file|cin)|__gnu_cxx::"
        r"|(f?re)?f?open(at)?(64)?$|f(close|read|seek|tell|gets|scanf)$|open|read|write|close|unlink|remove|rename|stat|mk\w+"
        r"|opendir|readdir|tmpfile|dup2?$|creat|access|chmod|truncate|getline|stdin",
        "a congestion control uses no files",
    ),
    (r"socket|connect|bind|listen|accept|send\w*|recv\w*|getaddrinfo|gethostby\w*|inet_\w+", "it uses no sockets"),
    (
        r"v?fork|clone\d?|exec\w+|posix_spawn\w*|system|popen|wait\w*|kill|raise|pthread_\w+|std::(thread|async|mutex|jthread)"
        r"|_?_?exit|quick_exit|signal|sigaction|prctl|ptrace|sleep|usleep|nanosleep",
        "it starts, ends and controls no processes or threads",
    ),
    (
        r"time|clock\w*|gettimeofday|std::chrono|localtime|gmtime|strftime|timespec_get|times|getrusage",
        "it uses the time of the simulation, Simulator::Now",
    ),
    (r"dl(open|sym|addr|info|m\w+|vsym)|dl_iterate_phdr|__tls\w+", "it loads no code and looks up no symbols"),
    (
        r"syscall|mmap\w*|mprotect|munmap|mremap|brk|sbrk|memfd_create|shm\w+|getauxval|ioctl|environ|(secure_)?getenv|get\w+id",
        "it makes no system calls",
    ),
)
_OTHER = "this is not among the calls that a congestion control may make"


def scopes(symbol: str) -> list[str]:
    """The scopes and the name of a mangled symbol, such as ns3, Simulator, Now. A symbol of C is its own name."""
    match = _NESTED.fullmatch(symbol)
    if not match:
        return [symbol]
    rest = match[2]
    names = ["std", *({**_STD, **_STREAMS}).get(match[1], [])] if match[1] else []
    while number := re.match(r"\d+", rest):
        begin = number.end()
        names.append(rest[begin : begin + int(number[0])])
        rest = re.sub(r"^(B\d+cxx11)?L?", "", rest[begin + int(number[0]) :])
    is_operator = not names or (re.match(r"[a-z][a-zS]", rest) and names in (["std"], ["ns3"], ["ns3", "ObjectBase"]))
    return [*names, "operator"] if is_operator else names


_TABLE = re.compile(r"(VTT|vtable|typeinfo|typeinfo name) for ")  # the compiler's tables of a class


def refusal(symbol: str, demangled: str, controls: Collection[str]) -> str | None:
    """Why a congestion control may not use a symbol that it does not define; None if it may.

    ``controls`` are the congestion controls of this ns-3, without ``ns3::``.
    """
    names = scopes(symbol)
    if _is_allowed(symbol, names, controls):
        return None
    shown, name = demangled.partition("(")[0] if symbol.startswith("_Z") else symbol, "::".join(names)
    verb, shown = ("uses", _TABLE.sub("", shown)) if _TABLE.match(shown) else ("calls", shown)
    why = next((reason for pattern, reason in _REASONS if re.match(pattern, name)), _OTHER)
    return f"{verb} {shown}: {why}"


def _is_allowed(symbol: str, names: list[str], controls: Collection[str]) -> bool:
    if not symbol.startswith("_Z"):
        return bool(_MATHEMATICS.fullmatch(symbol) or _C.fullmatch(symbol))
    if names[0] == "std":
        return bool(_STANDARD.fullmatch("::".join(names[1:]) or "operator"))
    if names[0] == "ns3" and len(names) > 1:
        if names[1] in _METHODS:
            is_information = symbol.startswith(("_ZTI", "_ZTT", "_ZTV"))
            return is_information or bool(re.fullmatch(_METHODS[names[1]], "::".join(names[2:])))
        return names[1] in controls or bool(_WHOLE.fullmatch(names[1]))
    return names[0] == "__cxxabiv1" or bool(re.match(r"_Z(T[IS].$|T[IS]P?K?.$|n[wa]|d[la])", symbol))
