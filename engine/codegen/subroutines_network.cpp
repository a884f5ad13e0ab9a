#include "engine/codegen/expressions.h"
#include "engine/codegen/own_memory.h"
#include "engine/codegen/string_scan.h"
#include "engine/codegen/subroutine.h"
#include "engine/codegen/text.h"
/// Internet addresses as text.
namespace dscope::codegen {
namespace {
using Arguments = Subroutine::Arguments;
using record::FaultKind;
constexpr std::uint32_t kAddressRoom = 64; // "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255" and its NUL
constexpr int kInet = 2;                   // AF_INET
constexpr int kInet6 = 10;                 // AF_INET6
// Source: include/uapi/linux/if_arp.h, include/uapi/linux/if_ether.h, include/linux/if_infiniband.h
constexpr int kEthernet = 1, kEthernetBytes = 6, kInfiniband = 32, kInfinibandBytes = 20;

/// A text in the making, one letter at a time.
class Letters {
public:
    explicit Letters(Firing& f) : m_f(f), m_value(f), m_length(f), m_at(f.allocate(kAddressRoom))
    {
        zero(f, m_at, kAddressRoom);
        m_length.set(0);
    }
    Text text() const { return cut(m_f, scratchText(m_at, kAddressRoom)); }

    /// Appends r3. Uses r1, r2.
    void put() const
    {
        auto& b = m_f.b;
        m_length.get(R1, kAddressRoom - 2);
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
            b.block([&](Label skip) {
                m_value.get(R3);
                if (unit > 1) b.branch(Cond::Lt, R3, unit, skip);
                b.alu(AluOp::Div, R3, unit);
                b.alu(AluOp::Mod, R3, base);
                digit();
            });
        }
    }

    /// Appends r3, which is below 16, as a digit. Uses r1, r2.
    void digit() const
    {
        auto& b = m_f.b;
        b.when({R3, Cond::Ge, 10}, [&] { b.alu(AluOp::Add, R3, 'a' - '0' - 10); });
        b.alu(AluOp::Add, R3, '0');
        put();
    }

private:
    Firing& m_f;
    Cell m_value, m_length;
    std::uint32_t m_at;
};

bool isUser(const sema::Expr& e)
{
    const auto* t = e.type ? types::resolved(e.type) : nullptr;
    return t && t->isUser;
}
/// The `size` bytes at the address r0, in new scratch memory; `pointer` is what gave it.
std::uint32_t fetch(Firing& f, std::uint32_t size, const sema::Expr& pointer)
{
    auto& b = f.b;
    const bool user = isUser(pointer);
    if (!user) stayInGiven(f, leadOf(f.unit, pointer), size);
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
/// The 16 bytes of an address as text.
class Colons {
public:
    /// Where the word `strict` is 0, an IPv4 address in it stands alone.
    Colons(Firing& f, const Letters& out, std::uint32_t at, const Cell& strict)
        : m_f(f), m_b(f.b), m_out(out), m_at(at), m_strict(strict), m_start(f), m_length(f), m_bestStart(f), m_bestLength(f), m_words(f),
          m_index(f)
    {
    }

    /// The longest run of two or more zero words is ::, and what holds an IPv4 address ends with it. Source: RFC 5952, sections 4
    /// and 5.
    void put() const
    {
        auto& b = m_b;
        for (const auto* cell : {&m_start, &m_length, &m_bestStart, &m_bestLength})
            cell->set(0);
        m_words.set(8);
        b.block([&](Label done) {
            findEmbedded(done);
            m_f.rounds(8, [&](Label end) { measure(end); });
            m_bestLength.get(R1);
            b.when({R1, Cond::Le, 1}, [&] {
                m_bestStart.set(8); // a single zero is written
                m_bestLength.set(0);
            });
            m_f.rounds(8, [&](Label end) { putWord(end); });
            closeRun();
            m_words.get(R1);
            b.branch(Cond::Eq, R1, 8, done);
            m_out.put(':');
            dotted(m_f, m_out, m_at + 12);
        });
    }

private:
    /// ::a.b.c.d has its first 12 bytes zero and more than 16 bits; ::ffff:a.b.c.d is a mapped one. They have six words.
    void findEmbedded(Label done) const
    {
        auto& b = m_b;
        b.block([&](Label plain) {
            b.load(Width::B8, R1, Builder::kScratch, m_at);
            b.branch(Cond::Ne, R1, 0, plain);
            b.load(Width::B4, R1, Builder::kScratch, m_at + 8);
            b.swap(R1, 32);
            b.when({R1, Cond::Ne, 0xffff}, [&] {
                b.branch(Cond::Ne, R1, 0, plain);
                b.load(Width::B2, R1, Builder::kScratch, m_at + 12);
                b.branch(Cond::Eq, R1, 0, plain);
            });
            m_strict.get(R1);
            b.when({R1, Cond::Eq, 0}, [&] {
                dotted(m_f, m_out, m_at + 12);
                b.jump(done);
            });
            m_words.set(6);
        });
    }

    /// r3 = word r0, r0 being below 8. Uses r1.
    void loadWord() const
    {
        auto& b = m_b;
        b.mov(R1, R0);
        b.alu(AluOp::Lsh, R1, 1);
        b.alu(AluOp::Add, R1, Builder::kScratch);
        b.load(Width::B2, R3, R1, m_at);
        b.swap(R3, 16);
    }

    void leaveBehindLast(Label end) const
    {
        m_b.branch(Cond::Ge, R0, 8, end);
        m_words.get(R1);
        m_b.branch(Cond::Ge, R0, R1, end);
    }

    /// Word r0 goes on with a run of zeros, or ends one.
    void measure(Label end) const
    {
        auto& b = m_b;
        leaveBehindLast(end);
        loadWord();
        b.either(
            {R3, Cond::Ne, 0}, [&] { m_length.set(0); },
            [&] {
                m_length.get(R1);
                b.when({R1, Cond::Eq, 0}, [&] { m_start.set(R0); });
                b.alu(AluOp::Add, R1, 1);
                m_length.set(R1);
                m_bestLength.get(R2);
                b.when({R1, Cond::Gt, R2}, [&] {
                    m_bestLength.set(R1);
                    m_start.get(R2);
                    m_bestStart.set(R2);
                });
            });
    }

    void putWord(Label end) const
    {
        auto& b = m_b;
        leaveBehindLast(end);
        m_index.set(R0);
        m_bestStart.get(R1);
        b.block([&](Label next) {
            b.when({R0, Cond::Ge, R1}, [&] {
                m_bestLength.get(R2);
                b.alu(AluOp::Add, R2, R1);
                b.when({R0, Cond::Lt, R2}, [&] { // within the run
                    b.when({R0, Cond::Eq, R1}, [&] { m_out.put(':'); });
                    b.jump(next);
                });
            });
            b.when({R0, Cond::Ne, 0}, [&] { m_out.put(':'); });
            m_index.get(R0, 7);
            loadWord();
            m_out.number(16, 4);
        });
    }

    /// A run that reaches the end has only its first colon yet.
    void closeRun() const
    {
        auto& b = m_b;
        m_bestStart.get(R1);
        m_bestLength.get(R2);
        b.alu(AluOp::Add, R1, R2);
        m_bestLength.get(R2);
        b.when({R2, Cond::Ne, 0}, [&] {
            m_words.get(R2);
            b.when(Condition::all({{R1, Cond::Eq, R2}, {R2, Cond::Eq, 8}}), [&] { m_out.put(':'); });
        });
    }

    Firing& m_f;
    Builder& m_b;
    const Letters& m_out;
    std::uint32_t m_at;
    const Cell& m_strict;
    const Cell m_start, m_length, m_bestStart, m_bestLength; ///< of runs of zero words
    const Cell m_words;                                      ///< that are written as such
    const Cell m_index;
};
Text inetNtoa(Firing& f, const Arguments& args)
{
    integer(f, *args[0]);
    const auto at = fetch(f, 4, *args[0]);
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
    const auto at = fetch(f, 16, *args[0]);
    const Letters out(f);
    Colons(f, out, at, strict).put();
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
    const auto four = [&] {
        address.get(R0);
        dotted(f, out, fetch(f, 4, *args[1]));
    };

    const auto six = [&] {
        const auto none = f.fault(record::FaultKind::IllegalOperation);
        b.mov(R2, R1);
        b.mov(R1, 0);
        b.branch(Cond::Ne, R2, kInet6, none); // Source: DIF_SUBR_INET_NTOP
        address.get(R0);
        Colons(f, out, fetch(f, 16, *args[1]), strict).put();
    };
    family.get(R1);
    b.either({R1, Cond::Eq, kInet}, four, six);
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
        address.get(R0);
        if (!user) stayInGiven(f, leadOf(f.unit, *args[1]), static_cast<std::uint32_t>(bytes));
        b.mov(R1, Builder::kScratch);
        b.add(R1, at);
        b.mov(R2, bytes);
        address.get(R3);
        b.call(user ? Helper::ProbeReadUser : Helper::ProbeReadKernel);
        address.get(R1);
        b.branch(Cond::Ne, R0, 0, f.fault(FaultKind::BadAddress));
    };

    type.get(R1);
    b.either(
        {R1, Cond::Eq, kEthernet}, [&] { copy(kEthernetBytes); },
        [&] {
            type.get(R2);
            b.mov(R1, 0);
            b.branch(Cond::Ne, R2, kInfiniband, f.fault(FaultKind::IllegalOperation));
            copy(kInfinibandBytes);
        });
    f.rounds(kInfinibandBytes, [&](Label end) {
        size.get(R1);
        b.branch(Cond::Ge, R0, R1, end);
        index.set(R0);
        b.when({R0, Cond::Ne, 0}, [&] { out.put(':'); });
        for (const std::int32_t shift : {4, 0}) {
            index.get(R1, kInfinibandBytes - 1);
            b.alu(AluOp::Add, R1, Builder::kScratch);
            b.load(Width::B1, R3, R1, at);
            b.alu(AluOp::Rsh, R3, shift);
            b.alu(AluOp::And, R3, 15);
            out.digit();
        }
    });
    return out.text();
}
std::uint32_t addressCapacity(const Unit&, const Arguments&) { return kAddressRoom; }
} // namespace

template <> Subroutine emitter<"inet_ntoa">() { return {.text = inetNtoa, .capacity = addressCapacity}; }
template <> Subroutine emitter<"inet_ntoa6">() { return {.text = inetNtoa6, .capacity = addressCapacity}; }
template <> Subroutine emitter<"inet_ntop">() { return {.text = inetNtop, .capacity = addressCapacity}; }
template <> Subroutine emitter<"link_ntop">() { return {.text = linkNtop, .capacity = addressCapacity}; }
} // namespace dscope::codegen
