#!/usr/bin/env bash
# Installs the Debian packages that building, testing and checking this project needs.
# usage: scripts/install-dependencies.sh SET...    with the sets build, test, lint, emulator
set -euo pipefail

fail() {
  printf 'install-dependencies.sh: %s\n' "$1" >&2
  exit "${2:-1}"
}

packages_of() {
  case $1 in
    build) echo g++ cmake ninja-build libhdf5-dev libdeflate-dev libzstd-dev libcli11-dev nlohmann-json3-dev libfmt-dev \
      libcairo2-dev fonts-dejavu-core ;;
    # h5py and h5dump read the tables as others do, matplotlib draws them; valgrind counts instructions; groff and zsh take
    # what the program prints for them; dpkg-dev and file make the Debian packages.
    test) echo libgtest-dev libgmock-dev libbenchmark-dev libthrust-dev python3 python3-h5py python3-matplotlib hdf5-tools \
      valgrind groff-base zsh dpkg-dev file ;;
    lint) echo clang-format clang-tidy git shellcheck ;;
    # What the CUDA emulator that .ci/run can use is built with.
    emulator) echo g++ make liblz4-dev libzstd-dev ;;
    *) fail "'$1' is no set of packages; the sets are build, test, lint and emulator" 2 ;;
  esac
}

is_installed() {
  [[ $(dpkg-query --show --showformat '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

[[ $# -gt 0 ]] || fail "which packages? name one or more of: build test lint emulator" 2
wanted=()
for set in "$@"; do
  names=$(packages_of "$set")
  read -ra names <<<"$names"
  wanted+=("${names[@]}")
done

command -v apt-get >/dev/null ||
  fail "this system has no apt-get; install what corresponds to these Debian packages: ${wanted[*]}"
missing=()
for package in "${wanted[@]}"; do
  is_installed "$package" || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  echo "Packages for $*: all installed"
  exit
fi

as_root=()
if [[ $EUID -ne 0 ]]; then
  command -v sudo >/dev/null ||
    fail "these packages are missing, and installing them takes root or sudo: ${missing[*]}"
  as_root=(sudo)
fi
echo "Packages for $*: installing ${missing[*]}"
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes)
# A source that is out of reach matters only when a package is to come from it.
"${apt[@]}" update || echo "install-dependencies.sh: apt-get update failed, going on without" >&2
"${apt[@]}" install --no-install-recommends "${missing[@]}" ||
  fail "apt-get could not install: ${missing[*]}"
