#!/usr/bin/env bash
# usage: test_preset.sh PRESET TARGET CTEST-ARGUMENT…. Builds a target of another preset and runs tests there.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1 build=build-$1 target=$2
shift 2
if [ ! -f "$build/build.ninja" ]; then
  echo "the preset $preset is not configured: cmake --preset $preset"
  exit 77
fi
# What is tested here is what the sources say now, not an older build.
flock "$build/.lock" ninja -C "$build" "$target" >"$build/last-build.log" 2>&1 || {
  grep -E -A 12 '^FAILED:|error:' "$build/last-build.log" | head -n 40
  exit 1
}
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
exec ctest --test-dir "$build" --no-tests=error --output-on-failure --timeout 600 -j "$(nproc)" "$@"
