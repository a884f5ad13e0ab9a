#include "engine/codegen/raw.h"
#include "engine/codegen/subroutine.h"
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
void rand(Firing& f, const Arguments&)
{
    f.b.call(Helper::GetPrandom);
}
/// Source: include/linux/kdev_t.h: MINORBITS is 20.
constexpr std::int32_t kMinorBits = 20;
void getmajor(Firing& f, const Arguments& args)
{
    integer(f, *args[0]);
    f.b.normalize(R0, 4, false);
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
constexpr Subroutine::Example kMajor[] = {{"getmajor(0x800005)", "8"}};
constexpr Subroutine::Example kMinor[] = {{"getminor(0x800005)", "5"}};
constexpr Subroutine::Example kHtons[] = {{"htons(0x1234)", "13330"}};
constexpr Subroutine::Example kHtonl[] = {{"htonl(0x12345678)", "2018915346"}};
constexpr Subroutine::Example kHtonll[] = {{"htonll(1)", "72057594037927936"}};
constexpr auto kPure = Subroutine::Effect::Pure;
constexpr Subroutine kRows[] = {
    {"uint16_t htons(uint16_t)", kPure, swapped<16>, nullptr, nullptr, "host to network byte order", kHtons},
    {"uint32_t htonl(uint32_t)", kPure, swapped<32>, nullptr, nullptr, "host to network byte order", kHtonl},
    {"uint64_t htonll(uint64_t)", kPure, swapped<64>, nullptr, nullptr, "host to network byte order", kHtonll},
    {"uint16_t ntohs(uint16_t)", kPure, swapped<16>, nullptr, nullptr, "network to host byte order", {}},
    {"uint32_t ntohl(uint32_t)", kPure, swapped<32>, nullptr, nullptr, "network to host byte order", {}},
    {"uint64_t ntohll(uint64_t)", kPure, swapped<64>, nullptr, nullptr, "network to host byte order", {}},
    {"int getmajor(dev_t)", kPure, getmajor, nullptr, nullptr, "the number of a device's driver", kMajor},
    {"int getminor(dev_t)", kPure, getminor, nullptr, nullptr, "the number of a device among its driver's", kMinor},
    {"int64_t rand()", kPure, rand, nullptr, nullptr, "a pseudo-random number of 32 bits", {}},
    {"int __load_average(int)", kPure, loadAverage, nullptr, nullptr, "load average in 65536ths; 0, 1, 2: of 1, 5, 15 minutes", {}},
};
} // namespace
std::span<const Subroutine> numberSubroutines() { return kRows; }
} // namespace dscope::codegen
