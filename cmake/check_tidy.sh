#!/usr/bin/env bash
# usage: check_tidy.sh BUILD_DIRECTORY [casts]. Runs clang-tidy over the project's own sources that it compiles; with
# `casts` looks in app/ for integers that are taken from floats in another way than by app/base/whole.h, and for loops
# that a float counts.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
what=${2:-tidy}
# Other versions have other checks.
tidy=$(command -v clang-tidy-14 || command -v clang-tidy || true)
case "$("${tidy:-true}" --version)" in *'version 14.'*) ;; *) echo "clang-tidy 14 is not installed: skipped"; exit 77 ;; esac
query=$(command -v clang-query-14 || command -v clang-query || true)
[ "$what" = tidy ] || [ -n "$query" ] || { echo "clang-query is not installed: skipped"; exit 77; }
[ -f "$build/CMakeCache.txt" ] || { echo "$build is not configured"; exit 1; }
root=$PWD
build=$(cd "$build" && pwd)
database=$(mktemp -d)
trap 'rm -rf "$database"' EXIT
# All files of a target at once, which on two cores takes 5 minutes and in the build's batches 8: a name at file scope
# means one thing within a target. As the build compiles them, but without its precompiled headers, which are another
# compiler's.
sed -E 's# -Winvalid-pch# #; s# -include [^ ]*/cmake_pch\.hxx# #' "$build/compile_commands.json" |
  awk -v root="$root" -v build="$build" -v to="$database" '
    /"directory": / { directory = $0 }
    /"command": / { command = $0 }
    /"file": / {
      file = $0; sub(/.*"file": "/, "", file); sub(/".*/, "", file)
      if (file !~ /\.c[px][px]$/ || file ~ /\/tests\/|_tests?\.dir\/|cmake_pch/) next
      folder = index(file, build "/") == 1 ? build : root
      if (index(file, folder "/") != 1 || substr(file, length(folder) + 2) !~ /^(sim|app|kernels)\//) next
      target = command; sub(/.* -o [^ ]*CMakeFiles\//, "", target); sub(/\.dir\/.*/, "", target)
      unit = to "/" target ".cxx"
      if (!(target in seen)) {
        seen[target] = 1
        command = substr(command, 1, index(command, " -c ") + 3) unit "\","
        entries = entries (entries == "" ? "" : ",\n") "{\n" directory "\n" command "\n\"file\": \"" unit "\"\n}"
      }
      print "#include \"" file "\"" >unit
    }
    END { print "[\n" entries "\n]" >(to "/compile_commands.json") }'
if [ "$what" = casts ]; then
  bare=$(git grep --untracked -nE '\bl?l(round|rint)f?\(|for \((float|double) ' -- 'app/*.h' 'app/*.cpp' \
    ':!app/*/tests/*' ':!app/tests/*' || true)
  places='isExpansionInFileMatching("/app/"), unless(isExpansionInFileMatching("/(tests/|app/base/whole\.h)"))'
  mapfile -t units < <(grep -l '/app/' "$database"/*.cxx)
  found=$(printf '%s\0' "${units[@]}" | xargs -0 -n 1 -P "$(nproc)" "$query" -p "$database" --extra-arg=-w \
    -c 'set output diag' -c 'set bind-root true' -c "match castExpr(hasCastKind(\"CK_FloatingToIntegral\"), $places)")
  bare+=$(grep 'binds here' <<<"$found" | sort -u || true)
  [ -z "$bare" ] && { echo "no bare casts in ${#units[@]} targets"; exit 0; }
  printf '%s\nTake toWhole(), roundToWhole() or countSteps() of app/base/whole.h.\n' "$bare"
  exit 1
fi
mapfile -t units < <(ls -S "$database"/*.cxx)
[ "${#units[@]}" -gt 0 ] || { echo "no sources found in compile_commands.json"; exit 1; }
printf '%s\0' "${units[@]}" | xargs -0 -n 1 -P "$(nproc)" \
  "$tidy" --quiet -p "$database" --config-file=.clang-tidy --header-filter="^$root/(sim|kernels|app)/.*\.(h|cpp)\$" \
  --checks=-bugprone-suspicious-include --extra-arg=-Wno-unknown-warning-option \
  --extra-arg=-Wno-shadow --extra-arg=-Wno-unused-command-line-argument
echo "clang-tidy is content with ${#units[@]} targets"
