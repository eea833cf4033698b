#!/usr/bin/env bash
# usage: check_alone.sh BUILD_DIRECTORY [FILE…]. Compiles every source by itself (or only those files), and every
# header that no source begins with: the build's batches and precompiled headers hide that an #include is missing.
# In sim/ and what the app knows without a picture, no 64-bit number becomes a 32-bit one without a cast: it would be
# cut off, and on a 32-bit machine, such as a browser's, a size is a 32-bit number.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
shift
compiler=$(command -v clang++-14 || command -v clang++ || true)
[ -n "$compiler" ] || { echo "clang is not installed: skipped"; exit 77; }
[ -f "$build/compile_commands.json" ] || { echo "$build is not configured"; exit 1; }
narrowing='^(sim|kernels/protocol|app/(base|launch|analysis|workbench))/'

files() { git ls-files --cached --others --exclude-standard "$@" | grep -vE '/tests/|^sim/host/include/' | xargs -r ls -d 2>/dev/null; }
if [ $# -gt 0 ]; then
  units=("$@")
else
  mapfile -t units < <(files 'app/*.cpp' 'sim/*.cpp' 'kernels/protocol/*.cpp')
  # A header that is the first include of a source is compiled alone there.
  mapfile -t -O "${#units[@]}" units < <(files 'app/*.h' 'sim/*.h' 'kernels/protocol/*.h' | grep -vxFf <(awk '
    FNR == 1 { found = 0 }
    !found && /^#include/ { found = 1; if (match($0, /"[^"]+"/)) print substr($0, RSTART + 1, RLENGTH - 2) }' "${units[@]}"))
fi
mapfile -t system < <(grep -oE -- '-isystem [^ ]+' "$build/compile_commands.json" | sort -u | tr ' ' '\n')
flags=(-std=c++20 -fsyntax-only -x c++ -DFMT_SHARED -I. -I"$build/app/include" "${system[@]}"
  -Wall -Wextra -Werror -Wno-pragma-once-outside-header)
failed=0
compile() { xargs -0 -r -n 1 -P "$(nproc)" "$compiler" "${flags[@]}" "$@" || failed=1; }
compile -Wshorten-64-to-32 < <(printf '%s\0' "${units[@]}" | grep -zE "$narrowing")
compile < <(printf '%s\0' "${units[@]}" | grep -zvE "$narrowing")
[ "$failed" = 1 ] || echo "${#units[@]} files compile alone"
exit "$failed"
