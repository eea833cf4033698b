#!/usr/bin/env bash
# The Debian package of a build: what is in it, and that its programs find what they need where it was unpacked.
# Usage: check_package.sh BUILD-DIRECTORY. Exit status 77 where a tool that it needs is missing.
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")/.."
for tool in dpkg-deb dpkg-shlibdeps file xvfb-run desktop-file-validate; do
  command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

rm -f "$build"/lanescope_*.deb
cmake --build "$build" --target package >"$work/log" 2>&1 || { cat "$work/log"; fail "the package is not made"; }
package=$(ls "$build"/lanescope_*.deb)

# What is in it, and nothing else.
programs=(lanescope lanescope-cli)
if [ -x "$build/bin/lanescope-gpu" ]; then programs+=(lanescope-gpu); fi
{
  printf './usr/bin/%s\n' "${programs[@]}"
  printf './usr/share/man/man1/%s.1.gz\n' "${programs[@]}"
  for recording in assets/recordings/*.jsonl; do echo "./usr/share/lanescope/recordings/$(basename "$recording")"; done
  printf './usr/share/%s\n' applications/lanescope.desktop doc/lanescope/{README.md.gz,changelog.gz,copyright} \
    icons/hicolor/scalable/apps/lanescope.svg mime/packages/lanescope.xml
} | sort >"$work/expected"
dpkg-deb --fsys-tarfile "$package" | tar t | grep -v '/$' | sort | diff "$work/expected" - || fail "(above) other files than expected"
for name in libc6 libgl1 libglfw3 libmd4c0; do
  grep -Eq "(^|, )$name( |,|$)" <<<"$(dpkg-deb -f "$package" Depends)" || fail "it does not depend on $name"
done

# Unpacked elsewhere: the programs, found on the PATH, with no trace of the build.
root=$work/root
dpkg-deb -x "$package" "$root"
export PATH=$root/usr/bin:$PATH HOME=$work/home XDG_RUNTIME_DIR=$work/run
mkdir -m 700 "$HOME" "$XDG_RUNTIME_DIR"
cd "$HOME"
lanescope-cli simulate no-divergence --n 64 --csv >simulated || fail "lanescope-cli simulates nothing"
"$build/bin/lanescope-cli" simulate no-divergence --n 64 --csv | cmp - simulated || fail "lanescope-cli counts otherwise"
picture() { xvfb-run -a -s "-screen 0 1280x1024x24" "$1" --strategy baseline --n 64 --size 1280x720 --screenshot "$2"; }
picture "$build/bin/lanescope" built.png
picture lanescope packed.png
cmp built.png packed.png || fail "the window is not that of the build: fonts or recordings were not found"
mv "$root/usr/share/lanescope" "$root/usr/share/elsewhere"
picture lanescope without.png
if cmp -s packed.png without.png; then fail "the window shows no recording, so that nothing was compared"; fi

for program in "${programs[@]}"; do
  page=$(zcat "$root/usr/share/man/man1/$program.1.gz" | sed 's/\\//g')
  grep -q "^$program - ." <<<"$page" || fail "the man page of $program does not say what it is"
  for option in $("$program" --help | grep -Eo -- '--[a-z-]+'); do
    grep -Eq -- "$option( |,|=|$)" <<<"$page" || fail "the man page of $program lacks $option"
  done
done
desktop-file-validate "$root/usr/share/applications/lanescope.desktop"
grep -q "MimeType=$(grep -Eo 'application/x-lanescope[a-z-]*' "$root/usr/share/mime/packages/lanescope.xml");" \
  "$root/usr/share/applications/lanescope.desktop" || fail "the desktop entry does not open the type of file"
if command -v lintian >/dev/null; then lintian --allow-root --fail-on error "$package"; fi
echo "the package is in order: $(basename "$package")"
