#!/usr/bin/env bash
# Fails when a source file of the project is not formatted as .clang-format says. The strategies are
# left out: they are read on a projector, and laid out by hand; so are the kernels that were measured,
# whose lines the measurements name, the probes, of which a file has many, the texts that fuzzing begins
# with and found, and whole programs, which are written as people write them.
set -euo pipefail
cd "$(dirname "$0")/.."
# Other versions lay some lines out otherwise.
format=$(command -v clang-format-14 || command -v clang-format || true)
case "$("${format:-true}" --version)" in *'version 14.'*) ;; *) echo "clang-format 14 is not installed: skipped"; exit 77 ;; esac
patterns=('*.h' '*.cpp' '*.cu' '*.cuh' ':!:kernels/strategies/*.cu' ':!:sim/tests/data/*.cu'
  ':!:sim/language/probes/*' ':!:sim/fuzz/corpus/*' ':!:sim/fuzz/findings/*' ':!:sim/host/tests/programs/*')
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
"$format" --dry-run -Werror "${files[@]}" || {
  echo "not formatted; to format: clang-format -i FILES"
  exit 1
}
echo "${#files[@]} files are formatted"
