#!/usr/bin/env bash
# Checks the simulator and the workbench as for a machine of 32 bits, such as WebAssembly's: no 64-bit number may
# become a size, a shift or an index of 32 bits without a cast that says so. Only the types count: nothing is linked,
# and the headers are those of this machine. Exit status 77 without clang.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v clang++ >/dev/null; then
  echo "No clang++ here (Debian: clang)."
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# What glibc asks for on 32 bits, and a machine for 64 bits alone lacks.
mkdir "$folder/gnu"
touch "$folder/gnu/stubs-32.h"
includes=()
while read -r path; do includes+=(-isystem "$path"); done < <(
  clang++ -std=c++20 -fsyntax-only -v -x c++ /dev/null 2>&1 | sed -n '/^#include <...>/,/^End/{s/^ \(\/.*\)/\1/p}')

status=0
for part in sim/base sim/memory sim/language sim/machine sim/trace sim/sass app/workbench; do
  # One text of all files of a part, whose headers are then read once.
  find "$part" -name '*.cpp' -not -path '*/tests/*' | sort | sed 's/.*/#include "&"/' >"$folder/part.cpp"
  [ -s "$folder/part.cpp" ] || { echo "$part: no source files found"; exit 1; }
  clang++ -m32 -std=c++20 -fsyntax-only -ferror-limit=0 -I. -isystem "$folder" "${includes[@]}" \
    -Wno-everything -Werror=shorten-64-to-32 -Werror=shift-count-overflow -Werror=c++11-narrowing "$folder/part.cpp" || status=1
done
exit "$status"
