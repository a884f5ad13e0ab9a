#!/usr/bin/env bash
# c++filt of binutils 2.40 and llvm-cxxfilt of LLVM 14 (Debian 12): one symbol has two names.
#
# Expected: a demangled name is defined by the ABI that mangles it, so that two demanglers give one name, but for blanks perhaps. And
# a tool gives the same name whether a symbol comes by standard input or as an argument.
#
# Seen:
#     symbol                                     c++filt                                 llvm-cxxfilt
#     _Z3foov.cold                               foo() [clone .cold]                     foo() (.cold)
#     _Z3foov.isra.0.cold.1                      foo() [clone .isra.0] [clone .cold.1]   foo() (.isra.0.cold.1)
#     _ZZ4mainENKUlvE_clEv                       main::{lambda()#1}::operator()() const  main::'lambda'()::operator()() const
#     _RNvCskwGfYPst2Cb_3foo16example_function   foo[ef17931c9e9b4641]::example_function foo::example_function
#     _Z3foov@plt, standard input                foo()@plt                               foo()@plt
#     _Z3foov@plt, argument                      _Z3foov@plt                             _Z3foov@plt
#
# Why it matters: perf, gdb and many others demangle by libiberty (as c++filt), others by LLVM. Profiles of one program that were
# symbolized by two tools have different functions: each lambda, cold part and (with binutils) Rust function is there twice when
# they are merged, or "new" and "gone" when they are compared. The hash in Rust's names may change with each version, so that with
# libiberty's names two versions of a program may have no Rust function in common. What is compared should be the mangled names.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
fail() { echo "demanglers-disagree: changed: $*" >&2; exit 1; }
skip() { echo "demanglers-disagree: $*" >&2; exit 2; }

command -v c++filt >/dev/null || skip "c++filt is needed (Debian 12: apt-get install binutils)"
command -v llvm-cxxfilt-14 >/dev/null || skip "llvm-cxxfilt-14 is needed (Debian 12: apt-get install llvm-14)"
c++filt --version >"$tmp/version"
grep -q ' 2\.40$' "$tmp/version" || skip "this is about binutils 2.40, and here is $(head -n 1 "$tmp/version")"

# $1: a symbol. $2, $3: its names.
expect() {
    local gnu llvm
    gnu=$(c++filt <<<"$1") llvm=$(llvm-cxxfilt-14 <<<"$1")
    [ "$gnu" = "$2" ] || fail "c++filt calls $1 $gnu"
    [ "$llvm" = "$3" ] || fail "llvm-cxxfilt calls $1 $llvm"
}
expect _Z3foov 'foo()' 'foo()'
expect _Z3foov.cold 'foo() [clone .cold]' 'foo() (.cold)'
expect _Z3foov.isra.0.cold.1 'foo() [clone .isra.0] [clone .cold.1]' 'foo() (.isra.0.cold.1)'
expect _ZZ4mainENKUlvE_clEv 'main::{lambda()#1}::operator()() const' "main::'lambda'()::operator()() const"
expect _RNvCskwGfYPst2Cb_3foo16example_function 'foo[ef17931c9e9b4641]::example_function' 'foo::example_function'
expect _Z3foov@plt 'foo()@plt' 'foo()@plt'
for tool in c++filt llvm-cxxfilt-14; do
    [ "$($tool _Z3foov@plt)" = '_Z3foov@plt' ] || fail "$tool demangles _Z3foov@plt as an argument"
done
echo "c++filt and llvm-cxxfilt differ about clones, lambdas and Rust; both leave _Z3foov@plt alone as an argument only."
