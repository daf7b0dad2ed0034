#!/usr/bin/env bash
# Installs what building and testing needs, builds the default preset and runs its tests.
# usage: scripts/test.sh [CTEST OPTION...]    such as -R dataset or -LE slow
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

scripts/install-dependencies.sh build test
# quickstart.sh builds without tests and benchmarks.
cmake --preset default -DGRUNDY_BUILD_TESTS=ON -DGRUNDY_BUILD_BENCHMARKS=ON
cmake --build --preset default
ctest --preset default --parallel "$(nproc)" "$@"
