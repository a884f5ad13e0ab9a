#!/usr/bin/env bash
# uftrace 0.13 (Debian package 0.13-1): where a task was pre-empted, `uftrace dump --chrome` writes an end that has no beginning, and
# `uftrace dump --flame-graph` puts functions below the wrong callers and leaves out time.
#
# Expected: `uftrace replay` and `uftrace report` show "linux:schedule (pre-empted)" as a call with its own time, within the function
# that was pre-empted. In the dumps it is a slice or a frame, too, with both of its ends, and callers stay callers.
#
# Seen: of such an event only the end is written:
#     --chrome         {"ph":"E", ... "name":"linux:schedule"}, with no "B" of that name
#     --flame-graph    the end closes the function that runs: main calls work, and there is "work" without "main;" in front of it;
#                      of 0.5 s and more that `uftrace report` gives to main a small part is left
# A task that sleeps has both ends ("linux:schedule" without "pre-empted"), so that it is seen under load alone.
#
# Why it matters: by the format's description an E ends the innermost B of its thread. Who reads it so ends the program's function
# with the first pre-emption, and all that follows has the wrong parent and the wrong time. Only a reader that compares names, or an
# input recorded with --no-event, is safe.
set -euo pipefail
tmp=$(mktemp -d)
busy=
trap '[ -z "$busy" ] || kill "$busy" 2>/dev/null || true; rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
cd "$tmp"
fail() { echo "uftrace-preempted-ends: changed: $*" >&2; exit 1; }
skip() { echo "uftrace-preempted-ends: $*" >&2; exit 2; }

command -v gcc >/dev/null || skip "gcc is needed to build a program of ten lines with -pg"
apt-get download -q uftrace=0.13-1 libcapstone4 libluajit-5.1-2 libluajit-5.1-common libpython3.11 >/dev/null 2>&1 ||
    skip "cannot get uftrace=0.13-1 of Debian 12 (apt-get update first?)"
for package in *.deb; do dpkg -x "$package" root; done
mcount=$(dirname "$(find "$tmp/root" -name libmcount.so)")
cat >example.c <<'E'
volatile long sum;
void work(void)
{
    for (long i = 0; i < 20000000; ++i) sum += i;
}
int main(void)
{
    for (int i = 0; i < 5; ++i) work();
}
E
gcc -O1 -fno-inline -fno-optimize-sibling-calls -pg example.c -o example
# LD_LIBRARY_PATH: uftrace preloads libmcount.so by its name where it is not installed.
lib=$(dirname "$mcount")
export LD_LIBRARY_PATH=$mcount:$lib
run() { timeout 60 "$@" </dev/null; }
uftrace=root/usr/bin/uftrace
run $uftrace --version >/dev/null 2>&1 || skip "uftrace does not start here: $(run $uftrace --version 2>&1)"

# Another program on the same processor, so that the example is pre-empted for sure.
cpu=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
taskset -c "$cpu" timeout 30 sh -c 'while :; do :; done' &
busy=$!
run taskset -c "$cpu" $uftrace record --no-libcall -d data ./example 2>errors || fail "cannot record: $(cat errors)"
kill "$busy" 2>/dev/null || true
busy=

run "$uftrace" report --no-pager -d data 2>/dev/null >report
preempted=$(awk '/linux:schedule \(pre-empted\)/ { print $5 }' report)
[ "${preempted:-0}" -gt 0 ] || skip "no pre-emption was recorded; that takes root or a low kernel.perf_event_paranoid"
milliseconds() { awk -v f="$1" '$NF == f { print $2 == "s" ? $1 * 1000 : $2 == "ms" ? $1 : 0 }' report; }
total=$(milliseconds main)

run $uftrace dump --chrome -d data 2>/dev/null | grep linux:schedule >events || true
begins=$(grep -c '"ph":"B"' events || true) ends=$(grep -c '"ph":"E"' events || true)
[ $((ends - begins)) = "$preempted" ] || fail "of $preempted pre-emptions there are $begins begins and $ends ends"

run $uftrace dump --flame-graph --sample-time=1us -d data 2>/dev/null >folded
grep -q '^work ' folded || fail "work is below main: $(tr '\n' ',' <folded)"
kept=$(awk '{ sum += $NF } END { print sum / 1000 }' folded)
awk -v k="$kept" -v t="$total" 'BEGIN { exit !(k < t * 0.7) }' || fail "the flame graph has $kept of $total ms"
echo "uftrace's dumps have $ends ends and $begins begins of $preempted pre-emptions, work without main, and $kept of $total ms."
