# SPDX-License-Identifier: MIT
"""The source of an ns-3 with one function, which is built in a second."""

# As much of ns-3's build system as tcpsweep asks something of.
ROOT_CMAKE = """\
cmake_minimum_required(VERSION 3.13)
project(NS3 CXX)
set(headers ${NS3_OUTPUT_DIRECTORY}/include/ns3)
file(WRITE ${headers}/core-config.h "#define CONFIGURED 1\\n")
file(WRITE ${headers}/answer.h "#include \\"${PROJECT_SOURCE_DIR}/src/core/model/answer.h\\"\\n")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${NS3_OUTPUT_DIRECTORY}/lib)
add_library(ns3.44-monolib SHARED src/core/model/answer.cc)
"""
FILES = {
    "VERSION": "3.44\n",
    "CMakeLists.txt": ROOT_CMAKE,
    "build-support/macros.cmake": "",
    "src/core/model/answer.h": "int Answer();\n",
    "src/core/model/answer.cc": '#include "answer.h"\nint Answer() { return 42; }\n',
    "src/core/test/answer-test.h": "",
    "src/core/test/answer-test.cc": "",
    "src/core/doc/answer.rst": "",
    "src/core/examples/answer-example.cc": "",
    "src/network/CMakeLists.txt": "build_lib(LIBRARIES_TO_LINK ${libcore} ${libstats} ${libmpi})\n",
    "src/stats/CMakeLists.txt": "build_lib(LIBNAME stats)\n",
    "src/stats/model/stats.cc": "",
    "src/lte/CMakeLists.txt": "build_lib(LIBNAME lte)\n",
    "src/lte/model/lte.cc": "",
    "scratch/mine.cc": "",
}
