#!/usr/bin/env bash
# usage: run_fuzz.sh BUILD_DIRECTORY TARGET SECONDS [WORK_FOLDER]. Runs one fuzz target as built by the
# preset clang. Texts that bring new coverage, and findings, are left in WORK_FOLDER (default: in the build).
set -euo pipefail
build=$1 target=$2 seconds=$3
work=${4:-$build/fuzz-$target}
here=$(cd "$(dirname "$0")" && pwd)
if ! grep -qs '^LANESCOPE_HAS_FUZZER:INTERNAL=1' "$build/CMakeCache.txt"; then
  echo "the preset clang is not configured, or clang has no fuzzer runtime: cmake --preset clang"
  exit 77
fi
# What is tested here is what the sources say now, not an older build.
mkdir -p "$work/new" "$work/findings"
flock "$build/.lock" ninja -C "$build" "$target" >"$build/last-$target.log" 2>&1 || {
  tail -n 40 "$build/last-$target.log"
  exit 1
}
# The strategies are seeds too; their lessons, in the same folder, are none.
mkdir -p "$work/strategies"
cp "$here"/../../kernels/strategies/*.cu "$work/strategies/"
corpora=("$work/new" "$here/corpus" "$work/strategies" "$build/sim/fuzz/seeds")
[ ! -d "$here/findings" ] || corpora+=("$here/findings")
{
  cat "$here/cuda.dict"
  sed -nE 's/^[A-Z]+\((\w+), .*/"\1("/p' "$here/../language/check/functions.def"
} >"$work/cuda.dict"
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
exec "$build/bin/$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len=8192 \
  -dict="$work/cuda.dict" -artifact_prefix="$work/findings/" -print_final_stats=1 -verbosity=1 \
  -reload=0 "${corpora[@]}"
