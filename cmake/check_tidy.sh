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
database=$(mktemp -d)
trap 'rm -rf "$database"' EXIT
# File by file, which the build compiles several at once; what is generated is the build's.
gpu=$(sed -n 's/^LANESCOPE_GPU:[A-Z]*=//p' "$build/CMakeCache.txt")
cmake -S . -B "$database/files" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
  -DLANESCOPE_GPU="${gpu:-AUTO}" >"$database/log" || { cat "$database/log"; exit 1; }
sed "s#$database/files#$build#g" "$database/files/compile_commands.json" >"$database/compile_commands.json"
mapfile -t files < <(grep -o '"file": "[^"]*\.cpp"' "$database/compile_commands.json" | cut -d'"' -f4 | sort -u |
  grep -E "^$root/(sim|app|kernels)/" | grep -v '/tests/')
[ "${#files[@]}" -gt 0 ] || { echo "no sources found in compile_commands.json"; exit 1; }
printf '%s\0' "${files[@]}" | xargs -0 -n 2 -P "$(nproc)" \
  "$tidy" --quiet -p "$database" --extra-arg=-Wno-unknown-warning-option
echo "clang-tidy is content with ${#files[@]} files"
