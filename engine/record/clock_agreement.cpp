#include "engine/record/clock_agreement.h"
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
namespace dscope::record {
namespace {
constexpr std::int64_t kMicrosecond = 1'000, kMillisecond = 1'000'000, kSecondOfClock = 1'000'000'000;
/// What is less than that may be how long it took to read two clocks.
constexpr std::int64_t kSet = kMillisecond;
/// Three digits, rounded up: an error is not told as less than it is.
std::string lengthOf(std::int64_t ns)
{
    struct Unit {
        std::int64_t size;
        const char* name;
    };
    constexpr std::array<Unit, 4> kUnits{{{kSecondOfClock, "s"}, {kMillisecond, "ms"}, {kMicrosecond, "\u00b5s"}, {1, "ns"}}};
    const auto* unit = std::find_if(kUnits.begin(), kUnits.end() - 1, [&](const Unit& one) { return ns >= one.size; });
    constexpr std::int64_t kTens = 10, kHundreds = 100;
    const auto whole = ns / unit->size;
    const auto parts = whole >= kHundreds || unit->size == 1 ? 1 : whole >= kTens ? kTens : kHundreds;
    const auto step = unit->size / parts, steps = (ns + step - 1) / step;
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.*f %s",
        parts == 1           ? 0
            : parts == kTens ? 1
                             : 2,
        static_cast<double>(steps) / static_cast<double>(parts), unit->name);
    return text.data();
}
std::string listOf(const std::vector<std::string>& names, std::size_t most)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
    return text;
}
/// What a machine says that its times are off from UTC; nothing where it does not know, or does not say.
std::optional<std::int64_t> errorOf(const ClockReading& begin, const ClockReading& end)
{
    if (!begin.isKnown() || begin.kept != ClockReading::Kept::Yes) return std::nullopt;
    auto error = std::max<std::int64_t>(begin.maxError, 0) + std::max<std::int64_t>(begin.width, 0) / 2;
    if (!end.isKnown()) return error;
    if (end.kept != ClockReading::Kept::Yes) return std::nullopt;
    const auto moved = std::abs(end.offset() - begin.offset());
    error = std::max(error, std::max<std::int64_t>(end.maxError, 0) + moved + std::max<std::int64_t>(end.width, 0) / 2);
    return error;
}
/// The larger, where both are known.
void widen(std::optional<std::int64_t>& known, const std::optional<std::int64_t>& other)
{
    known = known && other ? std::optional(std::max(*known, *other)) : std::nullopt;
}
/// How far two of these are apart at most.
std::int64_t apart(std::vector<std::int64_t> errors)
{
    std::sort(errors.begin(), errors.end(), std::greater<>());
    return errors.size() < 2 ? 0 : errors[0] + errors[1];
}
} // namespace

void ClockAgreements::add(const std::string& host, const Program& program, const Exit& end, const std::optional<ClockOffset>& measured)
{
    Host now{host, errorOf(program.clock, end.clock), {}, ClockReading::Kept::Yes, 0, measured};
    now.kept = std::min(program.clock.kept, end.clock.isKnown() ? end.clock.kept : program.clock.kept);
    if (program.clock.isKnown() && end.clock.isKnown()) now.set = end.clock.offset() - program.clock.offset();
    if (measured) now.fromHere = measured->differs() ? (measured->most - measured->least) / 2 : std::max(measured->most, -measured->least);
    if (measured && measured->differs()) now.fromUtc.reset(); // what it says of itself is not so
    if (end.agreement.hosts > 0) {
        now.hosts = end.agreement.hosts;
        now.unknown = end.agreement.unknown;
        const bool isSome = now.hosts - std::min(now.hosts, now.unknown) > 1;
        now.fromUtc = isSome ? std::optional(end.agreement.within) : std::nullopt;
        now.kept = ClockReading::Kept::Yes;
    }

    const auto known = std::find_if(m_hosts.begin(), m_hosts.end(), [&](const Host& one) { return one.name == host; });
    if (known == m_hosts.end()) {
        m_hosts.push_back(std::move(now));
        return;
    }
    widen(known->fromUtc, now.fromUtc);
    widen(known->fromHere, now.fromHere);
    known->kept = std::min(known->kept, now.kept);
    if (std::abs(now.set) > std::abs(known->set)) known->set = now.set;
    if (measured && measured->differs()) known->measured = measured;
}

ClockAgreement ClockAgreements::agreement() const
{
    ClockAgreement all;
    std::vector<std::int64_t> fromUtc, fromHere;
    for (const auto& host : m_hosts) {
        all.hosts += host.hosts;
        all.unknown += host.fromUtc ? host.unknown : host.hosts;
        if (host.fromUtc) fromUtc.push_back(*host.fromUtc);
        if (host.fromHere) fromHere.push_back(*host.fromHere);
    }
    if (all.hosts < 2) return {};
    all.within = apart(fromUtc);
    // Of a host that was merged with others before, that is the distance of two of them.
    if (fromUtc.size() == 1) all.within = fromUtc[0];
    if (fromHere.size() == m_hosts.size() && (all.unknown > 0 || apart(fromHere) < all.within)) {
        all.unknown = 0;
        all.within = apart(fromHere);
    }
    return all;
}

std::vector<std::string> ClockAgreements::complaints(std::size_t most) const
{
    std::vector<std::string> texts, unkept, measured, set;
    if (agreement().hosts < 2) return texts;
    for (const auto& host : m_hosts) {
        if (host.kept == ClockReading::Kept::No) (host.fromHere ? measured : unkept).push_back(host.name);
        if (std::abs(host.set) > kSet) set.push_back(host.name + " (" + lengthOf(std::abs(host.set)) + (host.set > 0 ? " on)" : " back)"));
        if (host.measured && host.measured->differs()) {
            const auto middle = host.measured->middle();
            texts.push_back("the clock of " + host.name + " is some " + lengthOf(std::abs(middle)) + (middle > 0 ? " ahead of" : " behind")
                + " this machine's: its times are put right by that, within " + lengthOf((host.measured->most - host.measured->least) / 2));
        }
    }
    if (!unkept.empty()) texts.push_back("nothing keeps the clock of " + listOf(unkept, most) + ": how far it is off is not known");
    if (!measured.empty())
        texts.push_back(
            "nothing keeps the clock of " + listOf(measured, most) + ": how far it is off is known by what was measured from here alone");
    if (!set.empty()) texts.push_back("while it ran, the clock was set, or the machine slept, of " + listOf(set, most));
    return texts;
}

std::string textOf(const ClockAgreement& agreement)
{
    if (agreement.hosts < 2) return {};
    const auto all = std::to_string(agreement.hosts) + " hosts";
    if (agreement.hosts < agreement.unknown + 2) return "how far the clocks of " + all + " are apart is not known";
    const auto of = agreement.unknown == 0 ? std::string() : std::to_string(agreement.hosts - agreement.unknown) + " of ";
    return "the clocks of " + of + all + " agree within " + lengthOf(agreement.within);
}
} // namespace dscope::record
