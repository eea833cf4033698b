#!/usr/bin/env bash
# usage: run_sanitized.sh BUILD_DIRECTORY. Runs the simulator's tests as built by the preset asan.
set -euo pipefail
build=$1
if [ ! -f "$build/CTestTestfile.cmake" ]; then
  echo "the preset asan is not built: cmake --preset asan && cmake --build build-asan --target sim-tests"
  exit 77
fi
# What is tested here is what the sources say now, not an older build.
ninja -C "$build" sim-tests >"$build/last-build.log" 2>&1 || {
  tail -n 40 "$build/last-build.log"
  exit 1
}
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
exec ctest --test-dir "$build" -L '^sim$' --no-tests=error --output-on-failure --timeout 600 -j "$(nproc)"
