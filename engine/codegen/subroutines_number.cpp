#include "engine/codegen/expressions.h"
#include "engine/codegen/subroutine.h"
#include "engine/object/raw.h"
/// Numbers: byte order, randomness.
namespace dscope::codegen {
namespace {
using Arguments = Subroutine::Arguments;
template <int bits> void swapped(Firing& f, const Arguments& args)
{
    integer(f, *args[0]);
    f.b.swap(R0, bits);
}
/// All 32 bits are random, and rand() % 10 is from 0 to 9: that takes more than an int.
void rand(Firing& f, const Arguments&) { f.b.call(Helper::GetPrandom); }
/// Source: include/linux/kdev_t.h: MINORBITS is 20.
constexpr std::int32_t kMinorBits = 20;
void getmajor(Firing& f, const Arguments& args)
{
    integer(f, *args[0]);
    f.b.normalize(R0, 4, Sign::Unsigned);
    f.b.alu(AluOp::Rsh, R0, kMinorBits);
}
void getminor(Firing& f, const Arguments& args)
{
    integer(f, *args[0]);
    f.b.alu(AluOp::And, R0, (1 << kMinorBits) - 1);
}
/// What `hp_avenrun[] of Solaris is: the session keeps them in the control block.
void loadAverage(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    integer(f, *args[0]);
    b.mov(R1, R0);
    b.branch(Cond::Gt, R1, std::size(Control{}.loads) - 1, f.fault(record::FaultKind::BadAddress));
    b.alu(AluOp::Lsh, R1, 2);
    b.loadMapValue(R2, f.unit.object.control, offsetof(Control, loads));
    b.alu(AluOp::Add, R2, R1);
    b.load(Width::B4, R0, R2, 0);
}
} // namespace

template <> Subroutine emitter<"htons">() { return {.integer = swapped<16>}; }
template <> Subroutine emitter<"htonl">() { return {.integer = swapped<32>}; }
template <> Subroutine emitter<"htonll">() { return {.integer = swapped<64>}; }
template <> Subroutine emitter<"ntohs">() { return {.integer = swapped<16>}; }
template <> Subroutine emitter<"ntohl">() { return {.integer = swapped<32>}; }
template <> Subroutine emitter<"ntohll">() { return {.integer = swapped<64>}; }
template <> Subroutine emitter<"getmajor">() { return {.integer = getmajor}; }
template <> Subroutine emitter<"getminor">() { return {.integer = getminor}; }
template <> Subroutine emitter<"rand">() { return {.integer = rand}; }
template <> Subroutine emitter<"__load_average">() { return {.integer = loadAverage}; }
} // namespace dscope::codegen
