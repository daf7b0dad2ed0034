#!/usr/bin/env bash
# Compares the speed of two revisions: builds both alike, from worktrees of their own, runs them in
# turns on the same work, and prints the medians and the median of the ratios, run by run.
# usage: bench/compare.sh OLD [NEW]    revisions; NEW is the working tree unless it is named
# GRUNDY_COMPARE_RUNS=7 runs of each; GRUNDY_COMPARE_ARGS="--size 8192 --threads 1" is the work.
set -euo pipefail

if [[ $# -lt 1 || $# -gt 2 || $1 == -* ]]; then
  echo "usage: bench/compare.sh OLD [NEW]" >&2
  exit 2
fi
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
runs=${GRUNDY_COMPARE_RUNS:-7}
read -ra work <<<"${GRUNDY_COMPARE_ARGS:---size 8192 --threads 1}"
folder=$(mktemp -d)
remove() {
  git worktree remove --force "$folder/old" 2>/dev/null || true
  git worktree remove --force "$folder/new" 2>/dev/null || true
  rm -rf -- "$folder"
}
trap remove EXIT

# build SOURCE BUILD: the program of a source tree, with the settings of the preset `default`.
build() {
  cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGRUNDY_NATIVE=ON -DGRUNDY_CUDA=OFF \
    -DGRUNDY_BUILD_TESTS=OFF -DGRUNDY_BUILD_BENCHMARKS=OFF >"$folder/log"
  if ! cmake --build "$2" --target grundy_cli >>"$folder/log"; then
    cat -- "$folder/log" >&2
    exit 1
  fi
}

git worktree add --quiet --detach "$folder/old" "$1"
new=$PWD
if [[ $# -eq 2 ]]; then
  git worktree add --quiet --detach "$folder/new" "$2"
  new=$folder/new
fi
build "$folder/old" "$folder/build-old"
build "$new" "$folder/build-new"

python3 - "$folder" "$runs" "${work[@]}" <<'END'
import json
import statistics
import subprocess
import sys

folder, runs, *work = sys.argv[1:]
seconds = {"old": [], "new": []}
digests = set()
for run in range(int(runs) + 1):
    for name, times in seconds.items():
        command = [f"{folder}/build-{name}/grundy", "compute", *work, "--quiet", "--json"]
        result = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        digests.add(result["digest"])
        if run > 0:  # the first one warms up
            times.append(result["seconds"])
if len(digests) != 1:
    sys.exit(f"compare.sh: the digests differ: {digests}")
for name, times in seconds.items():
    print(f"{name}: median {statistics.median(times):.4f} s, {min(times):.4f} to {max(times):.4f}")
ratios = [old / new for old, new in zip(seconds["old"], seconds["new"])]
print(f"old/new: median {statistics.median(ratios):.3f}, {min(ratios):.3f} to {max(ratios):.3f} "
      f"({runs} runs of each, in turns: grundy compute {' '.join(work)})")
END
