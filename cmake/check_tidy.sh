#!/usr/bin/env bash
# usage: check_tidy.sh BUILD_DIRECTORY. Runs clang-tidy over the project's own sources that it compiles.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
# Other versions have other checks.
tidy=$(command -v clang-tidy-14 || command -v clang-tidy || true)
case "$("${tidy:-true}" --version)" in *'version 14.'*) ;; *) echo "clang-tidy 14 is not installed: skipped"; exit 77 ;; esac
[ -f "$build/CMakeCache.txt" ] || { echo "$build is not configured"; exit 1; }
root=$PWD
build=$(cd "$build" && pwd)
database=$(mktemp -d)
trap 'rm -rf "$database"' EXIT
# As the build compiles them, several files at once, which takes half as long as one by one; but without its
# precompiled headers, which are another compiler's.
sed -E 's# -Winvalid-pch# #; s# -include [^ ]*/cmake_pch\.hxx# #' "$build/compile_commands.json" >"$database/compile_commands.json"
mapfile -t units < <(grep -o '"file": "[^"]*\.c[px][px]"' "$database/compile_commands.json" | cut -d'"' -f4 | sort -u |
  grep -E "^($root|$build)/(sim|app|kernels)/" | grep -v -e '/tests/' -e '_tests\?\.dir/' -e cmake_pch)
mapfile -t files < <(for unit in "${units[@]}"; do
  case "$unit" in *.cxx) sed -n 's/^#include "\(.*\)"$/\1/p' "$unit" ;; *) echo "$unit" ;; esac
done | sort -u)
[ "${#files[@]}" -gt 0 ] || { echo "no sources found in compile_commands.json"; exit 1; }
printf '%s\0' "${units[@]}" | xargs -0 -n 1 -P "$(nproc)" \
  "$tidy" --quiet -p "$database" --config-file=.clang-tidy --header-filter="^$root/(sim|kernels|app)/.*\.(h|cpp)\$" \
  --checks=-bugprone-suspicious-include --extra-arg=-Wno-unknown-warning-option \
  --extra-arg=-Wno-unused-command-line-argument
echo "clang-tidy is content with ${#files[@]} files"
