#!/bin/sh
# Prints the man page of a program, made from its --help and from that of each of its subcommands.
# Usage: man_page.sh PATH-OF-PROGRAM
set -eu
name=$(basename "$1")
PATH=$(dirname "$1"):$PATH  # its help calls it by its name alone

# options HELP-ARGUMENT…: what follows the usage, as man macros. A line with no indentation is a heading, one
# with two spaces begins an option or a subcommand, a deeper one continues its description.
options() {
  "$name" "$@" --help | awk '
    function escaped(text) {
      gsub(/\\/, "\\e", text)
      gsub(/-/, "\\-", text)
      return text ~ /^[.\047]/ ? "\\&" text : text
    }
    /^Usage:/ { seen = 1; next }
    !seen || /^ *$/ { next }
    /^[^ ].*:$/ { print ".SS " escaped(substr($0, 1, length($0) - 1)); next }
    /^  [^ ]/ {
      line = substr($0, 3)
      at = match(line, /   *[^ ]/)
      print ".TP\n.B " escaped(at ? substr(line, 1, at - 1) : line)
      if (at) print escaped(substr(line, at + RLENGTH - 1))
      next
    }
    { sub(/^ +/, ""); print escaped($0) }'
}
synopsis() { "$name" "$@" --help | sed -n 's/^Usage: //p' | sed 's/-/\\-/g'; }
description() { "$name" "$@" --help | sed '/^Usage:/,$d; /^ *$/d; s/\\/\\e/g; s/-/\\-/g'; }
subcommands() { "$name" --help | sed -n '/^[Ss][Uu][Bb][Cc][Oo][Mm][Mm][Aa][Nn][Dd][Ss]:/,$ s/^  \([a-z][a-z-]*\) .*/\1/p'; }

echo ".TH $(echo "$name" | tr '[:lower:]' '[:upper:]') 1 \"\" \"$("$name" --version | cut -d' ' -f1,2)\" \"User commands\""
echo ".SH NAME"
echo "$name \\- $(description | head -n 1 | sed 's/^[^ ]*: //; s/\. .*//; s/\.$//')"
echo ".SH SYNOPSIS"
synopsis | sed 's/^/.B /'
echo ".SH DESCRIPTION"
description
echo ".SH OPTIONS"
options
for subcommand in $(subcommands); do
  echo ".SH $(echo "$subcommand" | tr '[:lower:]' '[:upper:]')"
  synopsis "$subcommand" | sed 's/^/.B /'
  echo ".PP"
  description "$subcommand"
  options "$subcommand"
done
echo ".SH SEE ALSO"
echo "lanescope(1), lanescope\\-cli(1), lanescope\\-gpu(1), /usr/share/doc/lanescope/README.md.gz"
