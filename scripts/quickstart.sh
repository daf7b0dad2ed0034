#!/usr/bin/env bash
# From a fresh clone to verified tables of the classic and the extended game, and the comparison
# of the two. Can be run again: it replaces the two tables and nothing else.
# usage: scripts/quickstart.sh [FOLDER]    for the tables; default: tables/ in this repository
set -euo pipefail

run() {
  printf '\n$%s\n' "$(printf ' %q' "$@")"
  "$@" || {
    local status=$?
    printf 'quickstart.sh: stopped, this failed with status %d:%s\n' "$status" \
      "$(printf ' %q' "$@")" >&2
    exit "$status"
  }
}

if [[ $# -gt 1 || ${1-} == -* ]]; then
  echo "usage: scripts/quickstart.sh [FOLDER]" >&2
  exit 2
fi
tables=tables
[[ $# -eq 0 ]] || tables=$(realpath --canonicalize-missing -- "$1")
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
size=4096
grundy=build/default/grundy

run scripts/install-dependencies.sh build
# A build tree that is there keeps its settings: it may be one with the tests.
[[ -f build/default/build.ninja ]] ||
  run cmake --preset default -DGRUNDY_BUILD_TESTS=OFF -DGRUNDY_BUILD_BENCHMARKS=OFF
run cmake --build --preset default --target grundy_cli

run mkdir -p -- "$tables"
for rule in classic extended; do
  run "$grundy" compute --rule "$rule" --size "$size" --output "$tables/$rule.h5" --force
  run "$grundy" verify "$tables/$rule.h5"
done
run "$grundy" equivalence --tables "$tables/extended.h5" "$tables/classic.h5"

cat <<END

Done. In $PWD:
  $grundy: the program; $grundy --help
  $tables/classic.h5: Wythoff's game, $size x $size positions, verified
  $tables/extended.h5: the same with x+y <= 2 terminal, verified
END
