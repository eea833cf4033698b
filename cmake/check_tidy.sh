#!/usr/bin/env bash
# usage: check_tidy.sh BUILD_DIRECTORY. Runs clang-tidy over the project's own sources that it compiles.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
# Other versions have other checks.
tidy=$(command -v clang-tidy-14 || command -v clang-tidy || true)
case "$("${tidy:-true}" --version)" in *'version 14.'*) ;; *) echo "clang-tidy 14 is not installed: skipped"; exit 77 ;; esac
[ -f "$build/compile_commands.json" ] || { echo "no compile_commands.json in $build"; exit 1; }
root=$PWD
mapfile -t files < <(grep -o '"file": "[^"]*\.cpp"' "$build/compile_commands.json" | cut -d'"' -f4 | sort -u |
  grep -E "^$root/(sim|app|kernels)/" | grep -v '/tests/')
[ "${#files[@]}" -gt 0 ] || { echo "no sources found in compile_commands.json"; exit 1; }
# It cannot read another compiler's precompiled headers, and is faster without its own.
database=$(mktemp -d)
trap 'rm -rf "$database"' EXIT
sed -E 's/ (-Winvalid-pch|(-Xclang )?-include(-pch)? (-Xclang )?[^ ]*cmake_pch[^ ]*)//g' \
  "$build/compile_commands.json" >"$database/compile_commands.json"
printf '%s\0' "${files[@]}" | xargs -0 -n 2 -P "$(nproc)" \
  "$tidy" --quiet -p "$database" --extra-arg=-Wno-unknown-warning-option
echo "clang-tidy is content with ${#files[@]} files"
