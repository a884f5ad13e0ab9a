#!/usr/bin/env bash
# perf 6.1 (Debian package linux-perf 6.1.*): a function with two symbols is shown as inlined, in a program that inlines nothing.
#
# Expected: "(inlined)" marks a function that the compiler put into its caller, and the caller has a frame of its own beneath. Without
# debug information there are no such frames, since only that says what was inlined.
#
# Seen: perf asks addr2line for the functions at an address. If the answer differs from the symbol that perf itself chose, perf takes it
# for an inlined function and shows it in place of the real one. So an alias is enough, with or without debug information. Here the
# public functions are aliases of static ones, as many of libc's are:
#     the calls                     main > library_work > library_spin
#     perf script                   main > work_impl (inlined) > spin_impl (inlined)
#     perf script --no-inline       main > library_work > library_spin
# In the table of `perf report --children`, library_work, which all of the time passes through, has no line at all. library_spin has two:
# one with its own time, and one for spin_impl (inlined) with none of its own.
#
# Why it matters: a reader that adds inlined functions to the function beneath gives all of this time to main. `perf script` names no
# object for such frames, so that the library's time looks like the program's. And --no-inline, which is often set because it is
# faster, changes the names of functions that were never inlined: profiles with and without it do not compare.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
fail() { echo "perf-inlined-aliases: changed: $*" >&2; exit 1; }
skip() { echo "perf-inlined-aliases: $*" >&2; exit 2; }

command -v gcc >/dev/null || skip "gcc is needed to build a program of six lines"
command -v addr2line >/dev/null || skip "addr2line is needed (Debian 12: apt-get install binutils)"
command -v perf >/dev/null || skip "perf is needed (Debian 12: apt-get install linux-perf)"
version=$(perf version | grep -oE '[0-9]+\.[0-9]+' | head -n 1)
[ "$version" = 6.1 ] || skip "this is about perf 6.1, and here is $version"

cat >example.c <<'E'
volatile long sum;
__attribute__((noinline, noclone)) static void spin_impl(long n) { for (long i = 0; i < n; i++) sum += i; }
void library_spin(long n) __attribute__((alias("spin_impl")));
__attribute__((noinline, noclone)) static void work_impl(long n) { spin_impl(n); sum++; }
void library_work(long n) __attribute__((alias("work_impl")));
int main(void) { library_work(50000000); sum++; }
E
record() {
    gcc -O1 "$@" example.c -o example
    perf record -q -e cpu-clock:u --call-graph dwarf -o perf.data ./example >/dev/null 2>errors ||
        skip "perf may not record here: $(head -n 1 errors)"
}
# The commonest stack, up to main; names only.
stack() {
    perf script -i perf.data -F ip,sym "$@" 2>/dev/null | awk '
        !NF { names = ""; next }
        { $1 = ""; names = names $0 ";" }
        $2 == "main" && ++seen[names] > most { most = seen[names]; best = names }
        END { print best }'
}
table() { perf report -i perf.data --stdio --children -g none -F overhead_children,symbol "$@" 2>/dev/null; }
real=' library_spin; library_work; main;' shown=' spin_impl (inlined); work_impl (inlined); main;'

record -Wl,-x # without the symbols of static functions, addr2line and perf agree
seen=$(stack)
[ "$seen" = "$real" ] || fail "of symbols without aliases the stack is$seen"
record
seen=$(stack)
[ "$seen" = "$shown" ] || fail "without debug information the stack is$seen"
record -g
readelf --debug-dump=info example | grep -q DW_TAG_inlined_subroutine && skip "the compiler inlines here"
seen=$(stack)
[ "$seen" = "$shown" ] || fail "with debug information the stack is$seen"
seen=$(stack --no-inline)
[ "$seen" = "$real" ] || fail "with --no-inline the stack is$seen"
table >with
table --no-inline >without
grep -q '\] library_work *$' without || fail "with --no-inline the table has no library_work: $(cat without)"
grep -q '\] library_work *$' with && fail "the table has library_work"
for name in library_spin 'spin_impl (inlined)' 'work_impl (inlined)'; do
    grep -q "\] $name *$" with || fail "the table has no $name: $(cat with)"
done
echo "perf shows main > library_work > library_spin as main > work_impl (inlined) > spin_impl (inlined), and no line of library_work."
