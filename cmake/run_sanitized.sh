#!/usr/bin/env bash
# usage: run_sanitized.sh BUILD_DIRECTORY. Runs the simulator's tests as built by the preset asan.
set -euo pipefail
build=$1
[ -f "$build/CTestTestfile.cmake" ] && ls "$build"/bin/sim_* >/dev/null 2>&1 || {
  echo "the preset asan is not built: cmake --preset asan && cmake --build build-asan --target sim-tests"
  exit 77
}
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
ctest --test-dir "$build" -L '^sim$' --no-tests=error --output-on-failure --timeout 600 -j "$(nproc)"
