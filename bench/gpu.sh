#!/usr/bin/env bash
# For a machine with a GPU, in one go of a few minutes: builds the CUDA engine, or takes a build that
# is there, runs its tests, then the benchmark, and writes one JSON file.
# usage: bench/gpu.sh OUT.json [BUILD]    BUILD: a build folder with grundy and tests/cuda_tests
# GRUNDY_BENCH_SIZES=16384,65536,262144 are the sides of the tables.
set -euo pipefail

if [[ $# -lt 1 || $# -gt 2 || $1 == -* ]]; then
  echo "usage: bench/gpu.sh OUT.json [BUILD]" >&2
  exit 2
fi
out=$(realpath --canonicalize-missing -- "$1")
build=$(realpath --canonicalize-missing -- "${2:-$(dirname -- "${BASH_SOURCE[0]}")/../build/cuda}")
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

if [[ $# -eq 1 ]]; then
  cmake --preset cuda -DGRUNDY_BUILD_BENCHMARKS=OFF
  cmake --build --preset cuda --target grundy_cli cuda_tests
fi
"$build/grundy" devices --json | grep -q '"usable":true' || {
  echo "gpu.sh: no GPU that can be used here; 'grundy devices' says more" >&2
  exit 4
}
"$build/grundy" devices
echo "Tests, at most 2 minutes"
timeout 2m "$build/tests/cuda_tests" --gtest_brief=1
echo "Benchmark, at most 5 minutes"
timeout 5m python3 bench/gpu_bench.py --program "$build/grundy" --out "$out" \
  --sizes "${GRUNDY_BENCH_SIZES:-16384,65536,262144}"
