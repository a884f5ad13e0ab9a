#!/usr/bin/env bash
# gdb 13.1 (Debian package gdb-minimal 13.1-3): with -batch, `bt N` does not say that it left callers out.
#
# Expected: `bt 3` of a longer stack ends with a line that says so, as at gdb's prompt. A log then shows which stacks are whole.
#
# Seen: gdb prints that line for commands given with -ex. It does not with -batch as well, nor for commands from a file (-x), and
# never if `set backtrace limit 3` cuts the stack:
#     gdb -ex 'bt 3' ...          #0 stop, #1 inner, #2 middle, (More stack frames follow...)
#     gdb -batch -ex 'bt 3' ...   #0 stop, #1 inner, #2 middle
# `thread apply all bt 3` does the same. The frames left out are those of outer and main.
#
# Why it matters: scripts take the stacks of all threads with gdb -batch, and limit them because deep stacks take long. Each stack then
# seems to begin in a function in the middle: a flame graph of such logs has these functions as roots, one tree becomes many,
# and no reader can mend it. A script that limits has to write the limit down: a stack of exactly N frames may be cut.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
cd "$tmp"
fail() { echo "gdb-batch-cut-stacks: changed: $*" >&2; exit 1; }
skip() { echo "gdb-batch-cut-stacks: $*" >&2; exit 2; }

command -v gcc >/dev/null || skip "gcc is needed to build a program of five lines"
apt-get download -q gdb-minimal=13.1-3 libipt2 libdebuginfod1 >/dev/null 2>&1 ||
    skip "cannot get gdb-minimal=13.1-3 of Debian 12 (apt-get update first?)"
for package in *.deb; do dpkg -x "$package" root; done
LD_LIBRARY_PATH=$(dirname "$(find "$tmp/root" -name 'libipt.so.2')")
gdb() { LD_LIBRARY_PATH=$LD_LIBRARY_PATH timeout 60 root/usr/bin/gdb -nx -q "$@" ./example </dev/null 2>&1; }

cat >example.c <<'E'
void stop(void) { __asm__ volatile(""); }
int inner(int x) { stop(); return x + 1; }
int middle(int x) { return inner(x) * 2; }
int outer(int x) { return middle(x) * 2; }
int main(int n, char** all) { return all ? outer(n) : 0; }
E
gcc -g -O0 example.c -o example
# The stacks only: numbers and names of frames, and what else stands in lines of brackets.
stacks() { sed -nE 's/^#([0-9]+) +(0x[0-9a-f]+ in )?([a-z]+) .*/\1 \3/p; /^\(.*\)$/p' | paste -sd' '; }
start=(-ex 'set debuginfod enabled off' -ex 'set confirm off' -ex 'set startup-with-shell off' -ex 'break stop' -ex run)
gdb --version >version || skip "gdb does not start here: $(head -n 1 version)"
# The place where it stops is printed as `stop () at ...`, without a number: no part of the stack.
whole=$(gdb -batch "${start[@]}" -ex bt | stacks)
[ -n "$whole" ] || skip "gdb may not run a program here"
[ "$whole" = '0 stop 1 inner 2 middle 3 outer 4 main' ] || fail "the whole stack is $whole"

cut='0 stop 1 inner 2 middle'
for ask in 'bt 3' 'thread apply all bt 3'; do
    seen=$(gdb "${start[@]}" -ex "$ask" -ex kill -ex quit | stacks)
    [ "$seen" = "$cut (More stack frames follow...)" ] || fail "without -batch, $ask gives $seen"
    seen=$(gdb -batch "${start[@]}" -ex "$ask" | stacks)
    [ "$seen" = "$cut" ] || fail "with -batch, $ask gives $seen"
    echo "$ask" >commands
    seen=$(gdb "${start[@]}" -x commands -ex kill -ex quit | stacks)
    [ "$seen" = "$cut" ] || fail "from a file, $ask gives $seen"
done
seen=$(gdb "${start[@]}" -ex 'set backtrace limit 3' -ex bt -ex kill -ex quit | stacks)
[ "$seen" = "$cut" ] || fail "a limit of 3 gives $seen"
echo "gdb -batch -ex 'bt 3' prints a stack of five frames as: $cut"
