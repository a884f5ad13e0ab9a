#include "engine/codegen/string_scan.h"
#include "engine/codegen/subroutine.h"
/// Internet addresses as text.
namespace dscope::codegen {
namespace {
using Arguments = Subroutine::Arguments;
using record::FaultKind;
constexpr std::uint32_t kRoom = 64; // "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255" and its NUL
constexpr int kInet = 2;            // AF_INET
constexpr int kInet6 = 10;          // AF_INET6
// Source: include/uapi/linux/if_arp.h, include/uapi/linux/if_ether.h, include/linux/if_infiniband.h
constexpr int kEthernet = 1, kEthernetBytes = 6, kInfiniband = 32, kInfinibandBytes = 20;

/// A text in the making, one letter at a time.
class Letters {
public:
    explicit Letters(Firing& f) : m_f(f), m_value(f), m_length(f), m_at(f.allocate(kRoom))
    {
        zero(f, m_at, kRoom);
        m_length.set(0);
    }
    Text text() const { return cut(m_f, scratchText(m_at, kRoom)); }
    /// Appends r3. Uses r1, r2.
    void put() const
    {
        auto& b = m_f.b;
        m_length.get(R1, kRoom - 2);
        b.mov(R2, Builder::kScratch);
        b.alu(AluOp::Add, R2, R1);
        b.store(Width::B1, R2, m_at, R3);
        b.alu(AluOp::Add, R1, 1);
        m_length.set(R1);
    }
    void put(char c) const
    {
        m_f.b.mov(R3, c);
        put();
    }
    /// Appends the number in r3, below base^digits, without zeros in front. Uses r1..r4.
    void number(std::int32_t base, int digits) const
    {
        auto& b = m_f.b;
        m_value.set(R3);
        std::int32_t unit = 1;
        for (int i = 1; i < digits; ++i)
            unit *= base;
        for (; unit > 0; unit /= base) {
            const auto skip = b.label(), decimal = b.label();
            m_value.get(R3);
            if (unit > 1) b.branch(Cond::Lt, R3, unit, skip);
            b.alu(AluOp::Div, R3, unit);
            b.alu(AluOp::Mod, R3, base);
            b.branch(Cond::Lt, R3, 10, decimal);
            b.alu(AluOp::Add, R3, 'a' - '0' - 10);
            b.bind(decimal);
            b.alu(AluOp::Add, R3, '0');
            put();
            b.bind(skip);
        }
    }

private:
    Firing& m_f;
    Cell m_value, m_length;
    std::uint32_t m_at;
};

/// The `size` bytes at the address r0, in new scratch memory.
std::uint32_t fetch(Firing& f, std::uint32_t size, bool user)
{
    auto& b = f.b;
    const auto at = f.allocate(size);
    const Cell address(f);
    address.set(R0);
    b.store(Width::B8, Builder::kScratch, at, 0);
    b.mov(R1, Builder::kScratch);
    b.add(R1, at);
    b.mov(R2, size);
    b.mov(R3, R0);
    b.call(user ? Helper::ProbeReadUser : Helper::ProbeReadKernel);
    address.get(R1);
    b.branch(Cond::Ne, R0, 0, f.fault(record::FaultKind::BadAddress));
    return at;
}
void dotted(Firing& f, const Letters& out, std::uint32_t at)
{
    for (std::uint32_t i = 0; i < 4; ++i) {
        if (i) out.put('.');
        f.b.load(Width::B1, R3, Builder::kScratch, at + i);
        out.number(10, 3);
    }
}
/// The 16 bytes at `at`; the longest run of two or more zero words is ::, and what holds an IPv4 address ends with it. Where
/// the word `strict` is 0 that address stands alone. Source: RFC 5952, sections 4 and 5.
void colons(Firing& f, const Letters& out, std::uint32_t at, const Cell& strict)
{
    auto& b = f.b;
    const Cell start(f), length(f), bestStart(f), bestLength(f), words(f);
    const auto loadWord16 = [&] { // r3 = word r0, r0 being below 8
        b.mov(R1, R0);
        b.alu(AluOp::Lsh, R1, 1);
        b.alu(AluOp::Add, R1, Builder::kScratch);
        b.load(Width::B2, R3, R1, at);
        b.swap(R3, 16);
    };
    for (const auto* cell : {&start, &length, &bestStart, &bestLength})
        cell->set(0);
    words.set(8);
    // ::a.b.c.d has its first 12 bytes zero and more than 16 bits; ::ffff:a.b.c.d is a mapped one.
    const auto six = b.label(), mapped = b.label(), embedded = b.label(), ready = b.label(), done = b.label();
    b.load(Width::B8, R1, Builder::kScratch, at);
    b.branch(Cond::Ne, R1, 0, six);
    b.load(Width::B4, R1, Builder::kScratch, at + 8);
    b.swap(R1, 32);
    b.branch(Cond::Eq, R1, 0xffff, mapped);
    b.branch(Cond::Ne, R1, 0, six);
    b.load(Width::B2, R1, Builder::kScratch, at + 12);
    b.branch(Cond::Eq, R1, 0, six);
    b.bind(mapped);
    strict.get(R1);
    b.branch(Cond::Ne, R1, 0, embedded);
    dotted(f, out, at + 12);
    b.jump(done);
    b.bind(embedded);
    words.set(6);
    b.jump(ready);
    b.bind(six);
    b.bind(ready);
    f.rounds(8, [&](Label end) {
        const auto zeroWord = b.label(), next = b.label();
        b.branch(Cond::Ge, R0, 8, end);
        words.get(R1);
        b.branch(Cond::Ge, R0, R1, end);
        loadWord16();
        b.branch(Cond::Eq, R3, 0, zeroWord);
        length.set(0);
        b.jump(next);
        b.bind(zeroWord);
        const auto inside = b.label();
        length.get(R1);
        b.branch(Cond::Ne, R1, 0, inside);
        start.set(R0);
        b.bind(inside);
        b.alu(AluOp::Add, R1, 1);
        length.set(R1);
        bestLength.get(R2);
        b.branch(Cond::Le, R1, R2, next);
        bestLength.set(R1);
        start.get(R2);
        bestStart.set(R2);
        b.bind(next);
    });
    const auto many = b.label();
    bestLength.get(R1);
    b.branch(Cond::Gt, R1, 1, many);
    bestStart.set(8); // a single zero is written
    bestLength.set(0);
    b.bind(many);
    const Cell index(f);
    f.rounds(8, [&](Label end) {
        const auto plain = b.label(), separated = b.label(), next = b.label(), skip = b.label();
        b.branch(Cond::Ge, R0, 8, end);
        words.get(R1);
        b.branch(Cond::Ge, R0, R1, end);
        index.set(R0);
        bestStart.get(R1);
        b.branch(Cond::Lt, R0, R1, plain);
        bestLength.get(R2);
        b.alu(AluOp::Add, R2, R1);
        b.branch(Cond::Ge, R0, R2, plain);
        b.branch(Cond::Ne, R0, R1, skip);
        out.put(':');
        b.bind(skip);
        b.jump(next);
        b.bind(plain);
        b.branch(Cond::Eq, R0, 0, separated);
        out.put(':');
        b.bind(separated);
        index.get(R0, 7);
        loadWord16();
        out.number(16, 4);
        b.bind(next);
    });
    // A run that reaches the end has only its first colon yet.
    const auto closed = b.label();
    bestStart.get(R1);
    bestLength.get(R2);
    b.alu(AluOp::Add, R1, R2);
    bestLength.get(R2);
    b.branch(Cond::Eq, R2, 0, closed);
    words.get(R2);
    b.branch(Cond::Ne, R1, R2, closed);
    b.branch(Cond::Ne, R2, 8, closed);
    out.put(':');
    b.bind(closed);
    words.get(R1);
    b.branch(Cond::Eq, R1, 8, done);
    out.put(':');
    dotted(f, out, at + 12);
    b.bind(done);
}
bool isUser(const sema::Expr& e)
{
    const auto* t = e.type ? types::resolved(e.type) : nullptr;
    return t && t->isUser;
}
Text inetNtoa(Firing& f, const Arguments& args)
{
    integer(f, *args[0]);
    const auto at = fetch(f, 4, isUser(*args[0]));
    const Letters out(f);
    dotted(f, out, at);
    return out.text();
}
Text inetNtoa6(Firing& f, const Arguments& args)
{
    const Cell strict(f);
    strict.set(0);
    if (args.size() > 1) {
        integer(f, *args[1]);
        strict.set(R0);
    }
    integer(f, *args[0]);
    const auto at = fetch(f, 16, isUser(*args[0]));
    const Letters out(f);
    colons(f, out, at, strict);
    return out.text();
}
Text inetNtop(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const Cell family(f), strict(f), address(f);
    const Letters out(f);
    integer(f, *args[0]);
    family.set(R0);
    integer(f, *args[1]);
    address.set(R0);
    strict.set(1);
    const auto six = b.label(), done = b.label();
    family.get(R1);
    b.branch(Cond::Ne, R1, kInet, six);
    address.get(R0);
    dotted(f, out, fetch(f, 4, isUser(*args[1])));
    b.jump(done);
    b.bind(six);
    const auto none = f.fault(record::FaultKind::IllegalOperation);
    b.mov(R2, R1);
    b.mov(R1, 0);
    b.branch(Cond::Ne, R2, kInet6, none); // Source: DIF_SUBR_INET_NTOP
    address.get(R0);
    colons(f, out, fetch(f, 16, isUser(*args[1])), strict);
    b.bind(done);
    return out.text();
}
Text linkNtop(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const Cell type(f), size(f), address(f), index(f);
    const Letters out(f);
    integer(f, *args[0]);
    type.set(R0);
    integer(f, *args[1]);
    address.set(R0);
    const bool user = isUser(*args[1]);
    const auto at = f.allocate(24);
    const auto copy = [&](std::int32_t bytes) {
        size.set(bytes);
        b.mov(R1, Builder::kScratch);
        b.add(R1, at);
        b.mov(R2, bytes);
        address.get(R3);
        b.call(user ? Helper::ProbeReadUser : Helper::ProbeReadKernel);
        address.get(R1);
        b.branch(Cond::Ne, R0, 0, f.fault(FaultKind::BadAddress));
    };
    const auto other = b.label(), ready = b.label();
    type.get(R1);
    b.branch(Cond::Ne, R1, kEthernet, other);
    copy(kEthernetBytes);
    b.jump(ready);
    b.bind(other);
    type.get(R2);
    b.mov(R1, 0);
    b.branch(Cond::Ne, R2, kInfiniband, f.fault(FaultKind::IllegalOperation));
    copy(kInfinibandBytes);
    b.bind(ready);
    f.rounds(kInfinibandBytes, [&](Label end) {
        const auto first = b.label();
        size.get(R1);
        b.branch(Cond::Ge, R0, R1, end);
        index.set(R0);
        b.branch(Cond::Eq, R0, 0, first);
        out.put(':');
        b.bind(first);
        for (const std::int32_t shift : {4, 0}) {
            const auto decimal = b.label();
            index.get(R1, kInfinibandBytes - 1);
            b.alu(AluOp::Add, R1, Builder::kScratch);
            b.load(Width::B1, R3, R1, at);
            b.alu(AluOp::Rsh, R3, shift);
            b.alu(AluOp::And, R3, 15);
            b.branch(Cond::Lt, R3, 10, decimal);
            b.alu(AluOp::Add, R3, 'a' - '0' - 10);
            b.bind(decimal);
            b.alu(AluOp::Add, R3, '0');
            out.put();
        }
    });
    return out.text();
}
std::uint32_t addressCapacity(const Unit&, const Arguments&) { return kRoom; }
} // namespace

template <> Subroutine emitter<"inet_ntoa">() { return {.text = inetNtoa, .capacity = addressCapacity}; }
template <> Subroutine emitter<"inet_ntoa6">() { return {.text = inetNtoa6, .capacity = addressCapacity}; }
template <> Subroutine emitter<"inet_ntop">() { return {.text = inetNtop, .capacity = addressCapacity}; }
template <> Subroutine emitter<"link_ntop">() { return {.text = linkNtop, .capacity = addressCapacity}; }
} // namespace dscope::codegen
