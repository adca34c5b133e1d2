#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Checks the man pages and the completions that the program of LONGBOX_BINARIES makes: mandoc and groff find no fault, and bash, zsh
# and fish complete commands, options and their values.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

scripts/install-prerequisites.sh manual
program=$(realpath "${LONGBOX_BINARIES:-.build/debug}/longbox")
work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT

scripts/make-man-pages.py "$program" "$work/man"
mandoc -T lint -W warning "$work"/man/*.1
for page in "$work"/man/*.1; do
  said=$(groff -mandoc -T utf8 -ww -z "$page" 2>&1)
  [[ -z $said ]] || { echo "$said" >&2; exit 1; }
  text=$(man --local-file "$page")
  grep --quiet '^EXIT STATUS' <<<"$text" || { echo "$page doesn't render." >&2; exit 1; }
done

# The completions call the program by its name.
mkdir "$work/bin"
ln --symbolic "$program" "$work/bin/longbox"
export PATH=$work/bin:$PATH
longbox --generate-completion-script bash >"$work/longbox.bash"
longbox --generate-completion-script zsh >"$work/_longbox"
longbox --generate-completion-script fish >"$work/longbox.fish"

# What is completed, and a word that must be among the results.
cases=("longbox se|serve" "longbox serve --tl|--tls" "longbox serve --tls |files" "longbox serve --metrics |loopback"
  "longbox backup --ch|--check")
in_bash() {
  bash --norc -c '
    source "$1"
    read -ra COMP_WORDS <<<"$2"
    [[ $2 != *" " ]] || COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$2 COMP_POINT=${#2} COMP_TYPE=9 COMP_KEY=9
    _longbox longbox "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf "%s\n" "${COMPREPLY[@]}"' _ "$work/longbox.bash" "$1"
}
in_fish() {
  fish --no-config --command "source $work/longbox.fish; complete --do-complete '$1'"
}
# zsh completes only at a terminal, so one is made for it; a menu lists all matches. This waits until it shows the word.
in_zsh() {
  ZDOTDIR=$work python3 scripts/checks/complete-in-zsh.py "$work" "$1" "$2"
}
for shell in bash fish zsh; do
  for case in "${cases[@]}"; do
    results=$("in_$shell" "${case%|*}" "${case#*|}")
    grep --quiet --fixed-strings -- "${case#*|}" <<<"$results" ||
      { printf '%s completes "%s" to: %s\n' "$shell" "${case%|*}" "$results" >&2; exit 1; }
  done
done
echo "Man pages: $(find "$work/man" -name '*.1' | wc -l). Completions of bash, fish and zsh: ${#cases[@]} each."
