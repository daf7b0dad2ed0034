#!/usr/bin/env bash
# The standard benchmark of this machine, about 8 minutes on 2 cores: builds, measures, and writes
# bench/results/MACHINE-DATE.json, .txt (the table) and .png (the picture).
# usage: bench/run.sh [MACHINE]    a name for the machine; default: its processor and cores
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

if [[ $# -gt 1 || ${1-} == -* ]]; then
  echo "usage: bench/run.sh [MACHINE]" >&2
  exit 2
fi
machine=${1:-$(sed -n '/^model name/{s/.*: //;s/[^A-Za-z0-9]\+/-/g;p;q}' /proc/cpuinfo)-$(nproc)cores}
out=bench/results/${machine,,}-$(date -u +%F)

preset=default
if command -v nvcc >/dev/null && nvidia-smi >/dev/null 2>&1; then preset=cuda; fi
[[ -f build/$preset/build.ninja ]] ||
  cmake --preset "$preset" -DGRUNDY_BUILD_TESTS=OFF -DGRUNDY_BUILD_BENCHMARKS=OFF
cmake --build --preset "$preset" --target grundy_cli

mkdir -p bench/results
# One run for all sizes, so that the growth is that of all; budget and longest keep it to the time.
"build/$preset/grundy" bench --sizes 256,512,1024,2048,4096,8192,16384,65536 \
  --engines reference@512,bitset@16384,cpu,cuda --figures compute,transfer@8192,file@8192 \
  --repeats 5 --budget 20 --longest 300 --progress \
  --output "$out.json" --plot "$out.png" --force | tee "$out.txt"
