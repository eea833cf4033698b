#!/usr/bin/env bash
# Fails when a source file of the project is not formatted as .clang-format says.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v clang-format >/dev/null || { echo "clang-format is not installed: skipped"; exit 77; }
mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.h' '*.cpp' ':!:kernels/strategies/*.cu' |
  while read -r file; do [ -f "$file" ] && echo "$file"; done)
[ "${#files[@]}" -gt 0 ] || { echo "no source files found"; exit 1; }
clang-format --dry-run -Werror "${files[@]}"
echo "${#files[@]} files are formatted"
