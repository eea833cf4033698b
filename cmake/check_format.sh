#!/usr/bin/env bash
# Fails when a source file of the project is not formatted as .clang-format says. The strategies are
# left out: they are read on a projector, and laid out by hand; so are the kernels that were measured,
# whose lines the measurements name, and the texts that fuzzing begins with and found.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v clang-format >/dev/null || { echo "clang-format is not installed: skipped"; exit 77; }
patterns=('*.h' '*.cpp' '*.cu' '*.cuh' ':!:kernels/strategies/*.cu' ':!:sim/tests/data/*.cu'
  ':!:sim/fuzz/corpus/*' ':!:sim/fuzz/findings/*')
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  mapfile -t listed < <(git ls-files --cached --others --exclude-standard -- "${patterns[@]}" | sort -u)
else  # an archive without its history
  mapfile -t listed < <(find sim kernels app -name '*.h' -o -name '*.cpp' -o -name '*.cuh' | sort)
fi
files=()
for file in "${listed[@]}"; do
  if [ -f "$file" ]; then files+=("$file"); fi
done
[ "${#files[@]}" -gt 0 ] || { echo "no source files found"; exit 1; }
clang-format --dry-run -Werror "${files[@]}" || {
  echo "not formatted; to format: clang-format -i FILES"
  exit 1
}
echo "${#files[@]} files are formatted"
