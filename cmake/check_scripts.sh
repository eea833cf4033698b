#!/usr/bin/env bash
# The set-up scripts where things go wrong: each must end with one clear line and a failure. Other
# machines (no packages, no root, no network) are played by programs of the same names in $PATH.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# expect WHAT PATTERN LINES COMMAND…: the command fails, says so in so many lines, the last matching.
expect() {
  local what=$1 pattern=$2 lines=$3 said status=0
  shift 3
  said=$("$@" 2>&1 </dev/null) || status=$?
  [ "$status" -ne 0 ] || { echo "$what: it succeeded: $said"; exit 1; }
  [ "$(printf '%s\n' "$said" | wc -l)" -eq "$lines" ] || { echo "$what: expected $lines lines, got: $said"; exit 1; }
  grep -Eq "$pattern" <<<"$(tail -n 1 <<<"$said")" || { echo "$what: expected /$pattern/, got: $said"; exit 1; }
  echo "$what: as it should"
}

# program NAME BODY: a program of that name in the other machine's $PATH.
program() {
  printf '#!/bin/bash\n%s\n' "$2" >"$scratch/bin/$1"
  chmod +x "$scratch/bin/$1"
}

expect "no display" 'no display.*lanescope-cli.*xvfb-run' 1 env -u DISPLAY -u WAYLAND_DISPLAY ./run

# A copy of its own, so that no build of this folder is touched; a machine without any package.
mkdir -p "$scratch/bin" "$scratch/copy/third_party"
cp run test "$scratch/copy/"
cp third_party/packages.sh "$scratch/copy/third_party/"
for tool in bash env dirname mktemp tail head grep rm cat nproc tee nice; do
  ln -s "$(command -v "$tool")" "$scratch/bin/$tool"
done
other=(env "PATH=$scratch/bin" DISPLAY=:9)

expect "neither Debian nor Ubuntu" 'neither Debian nor Ubuntu' 1 "${other[@]}" "$scratch/copy/run"
program dpkg-query 'exit 1'
program apt-get 'echo "E: no network" >&2; exit 100'
program id 'echo 1000'
for script in run test; do
  expect "$script, no root, no sudo" 'as root: apt-get install g\+\+ .*libimgui-dev' 1 "${other[@]}" "$scratch/copy/$script"
done
expect "--install, no root, no sudo" 'neither root nor is there sudo.*nothing can be installed' 1 "${other[@]}" "$scratch/copy/run" --install
expect "--install and more" 'takes no other argument' 1 "${other[@]}" "$scratch/copy/run" --install --theme light
# Ubuntu 22.04 has no JetBrains Mono: it is done without.
# shellcheck disable=SC2016
program apt-cache 'case $2 in fonts-jetbrains-mono) exit 100 ;; esac'
expect "no such font" 'apt-get install g\+\+ .* libfmt-dev fonts-inter$' 1 "${other[@]}" "$scratch/copy/run"
program id 'echo 0'
for script in run test; do
  expect "$script, no network" 'could not install g\+\+ ' 4 "${other[@]}" "$scratch/copy/$script"
done
# shellcheck disable=SC2016
program apt-cache 'case $2 in python3-glad) exit 100 ;; esac'
# shellcheck disable=SC2016
program apt-get 'case "$*" in *update*) exit 0 ;; esac; exit 100'
expect "a package that the release lacks" 'this release has no package python3-glad' 2 "${other[@]}" "$scratch/copy/run"
# A broken source tree: CMake's reason, then one line.
# shellcheck disable=SC2016
program dpkg-query 'shift 3; for package in "$@"; do printf "%s:installed " "$package"; done'
program cmake 'echo "cmake version 3.18.4"'
expect "CMake is too old" 'CMake 3\.18 is too old: 3\.22' 2 "${other[@]}" "$scratch/copy/run"
program cmake 'echo "CMake Error: that is wrong"; exit 1'
expect "CMake fails" 'could not configure the preset release' 3 "${other[@]}" "$scratch/copy/run"
program cmake 'mkdir -p build; : >build/build.ninja; : >build/CMakeCache.txt'
ln -s "$(command -v mkdir)" "$scratch/bin/mkdir"
program ninja 'echo "FAILED: x.o"; echo "x.cpp:1:2: error: that is wrong"; exit 1'
expect "the build fails" 'Lanescope does not build' 4 "${other[@]}" "$scratch/copy/run"
# The worker is built where there is a GPU. What is built here does not start.
# shellcheck disable=SC2016
program cmake 'mkdir -p build; : >build/build.ninja; echo LANESCOPE_HAS_CUDA:INTERNAL=ON >build/CMakeCache.txt'
# shellcheck disable=SC2016
program ninja 'echo "$*" >>targets'
rm -rf "$scratch/copy/build"
# expectBuilt WORDS…: those of each call of ninja since the last time.
expectBuilt() {
  [ "$(cat "$scratch/copy/targets")" = "$(printf -- '-C build %s\n' "$@")" ] || { cat "$scratch/copy/targets"; exit 1; }
  rm "$scratch/copy/targets"
}
expect "a toolkit and no GPU" 'build/bin/lanescope: No such file' 4 "${other[@]}" "$scratch/copy/run"
expectBuilt lanescope lanescope-cli
program nvidia-smi 'exit 0'
expect "a toolkit and a GPU" 'build/bin/lanescope: No such file' 2 "${other[@]}" "$scratch/copy/run"
expectBuilt "lanescope lanescope-gpu" lanescope-cli
# Nothing is left to be built beside the window, and where no window is asked for nothing is.
mkdir -p "$scratch/copy/build/bin"
program ../copy/build/bin/lanescope-cli 'exit 0'
expect "the command line is there" 'build/bin/lanescope: No such file' 1 "${other[@]}" "$scratch/copy/run"
expectBuilt "lanescope lanescope-gpu lanescope-cli"
rm "$scratch/copy/build/bin/lanescope-cli"
expect "help" 'build/bin/lanescope: No such file' 1 "${other[@]}" "$scratch/copy/run" --help
expectBuilt "lanescope lanescope-gpu lanescope-cli"

# shellcheck disable=SC2016
program ninja 'mkdir -p build; : >build/lanescope_1_amd64.deb'
# shellcheck disable=SC2016
program apt-get 'echo "E: $* is broken" >&2; exit 100'
ln -s "$(command -v ls)" "$scratch/bin/ls"
expect "the package cannot be installed" 'could not install .*/build/lanescope_1_amd64\.deb' 3 "${other[@]}" "$scratch/copy/run" --install

for script in run test .ci/run third_party/packages.sh cmake/*.sh packaging/*.sh; do bash -n "$script"; done
echo "scripts are in order"
