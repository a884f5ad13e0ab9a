#include "engine/remote/collection.h"
#include "engine/record/program_difference.h"
#include <algorithm>
#include <set>
namespace dscope::remote {
namespace {
constexpr std::size_t kMostRuns = 20'000;
constexpr std::size_t kMostBytes = std::size_t{4} << 30; ///< of all runs
/// Records that are there already.
class ToldRecords final : public record::Source {
public:
    explicit ToldRecords(std::vector<record::Record> records) : m_records(std::move(records)) { }
    Result<bool> poll(std::chrono::milliseconds, const Deliver& deliver) override
    {
        for (const auto& record : m_records)
            deliver(record);
        m_records.clear();
        return false;
    }

private:
    std::vector<record::Record> m_records;
};
/// What a run told.
struct Read {
    std::string host;
    HostRun::State state;
};
const record::Program& programOf(const Read& one) { return std::get<record::Program>(one.state.records.front()); }
/// The run whose program most have, and of equally many the one that was sent first: a host that answers with another program leaves only
/// itself out. Null: there are none.
const Read* usual(const std::vector<Read>& all)
{
    constexpr std::size_t kMostPrograms = 16; // that are compared
    std::vector<const Read*> bySending;
    for (const auto& one : all)
        bySending.push_back(&one);
    std::ranges::sort(bySending, {}, [](const Read* one) { return one->state.number; });

    std::vector<std::pair<const Read*, std::size_t>> programs; // and how many have it
    for (const auto* one : bySending) {
        const auto isSame = [&](const auto& p) { return record::difference(programOf(*p.first), {}, programOf(*one), {}).empty(); };
        const auto same = std::ranges::find_if(programs, isSame);
        if (same != programs.end())
            ++same->second;
        else if (programs.size() < kMostPrograms)
            programs.emplace_back(one, 1);
    }
    const auto most = std::ranges::max_element(programs, {}, [](const auto& p) { return p.second; });
    return most == programs.end() ? nullptr : most->first;
}
} // namespace

bool Collection::take(const Kept& kept)
{
    const auto place = placeOf(m_run, kept.subject);
    if (!place) return false;
    if ((!m_runs.contains(place->origin) && m_runs.size() >= kMostRuns) || m_bytes + kept.payload.size() > kMostBytes) {
        ++m_damaged;
        return false;
    }
    auto& run = m_runs[place->origin];
    const auto before = run.size();
    const auto isNew = run.take(*place, kept);
    m_bytes += run.size() - before;
    if (!isNew) ++m_damaged;
    return isNew && *isNew;
}

bool Collection::hasEnded() const
{
    std::map<std::string, bool> ended; // by host: all its runs
    for (const auto& [origin, run] : m_runs) {
        auto& all = ended.try_emplace(origin.host, true).first->second;
        all = all && run.hasProgram() && run.hasEnded();
    }
    const auto done = static_cast<std::size_t>(std::count_if(ended.begin(), ended.end(), [](const auto& one) { return one.second; }));
    return m_expected > 0 ? done >= m_expected : done > 0 && done == ended.size();
}

Collection::DataSet Collection::dataSet() const
{
    DataSet set;
    std::vector<Read> read;
    std::set<std::string> known;
    for (const auto& [origin, run] : m_runs) {
        known.insert(origin.host);
        if (!run.hasProgram()) continue;
        auto state = run.state(origin);
        if (!state)
            set.summary.refused.push_back(origin.host + " is left out: " + state.error().message);
        else if (state->isTold)
            read.push_back({origin.host, *std::move(state)});
    }

    if (const auto* most = usual(read)) {
        const auto program = programOf(*most);
        const auto name = most->host;
        std::erase_if(read, [&](const Read& one) {
            const auto differs = record::difference(program, name, programOf(one), one.host);
            if (!differs.empty()) set.summary.refused.push_back(one.host + " is left out: " + differs);
            return !differs.empty();
        });
    }

    std::vector<HostRecords> compared;
    for (const auto& one : read)
        compared.push_back({one.host, &one.state.records});
    set.summary.outliers = outliers(compared);
    std::set<std::string> hosts, withDrops, running, cut, incomplete;
    for (auto& one : read) {
        hosts.insert(one.host);
        if (one.state.drops > 0) withDrops.insert(one.host);
        if (!one.state.hasEnded) running.insert(one.host);
        if (one.state.hasEnded && !one.state.isWhole) incomplete.insert(one.host);
        if (one.state.isCut) cut.insert(one.host);
        const auto clock = m_clocks.find(one.host);
        const auto measured = clock == m_clocks.end() ? std::nullopt : std::optional(clock->second);
        const auto add = [&](std::vector<record::Record> records, record::Firings firings) -> record::MergedRun& {
            return set.runs.emplace_back(record::MergedRun{
                .name = one.host, .source = std::make_unique<ToldRecords>(std::move(records)), .firings = firings, .measured = measured});
        };
        add(std::move(one.state.records), record::Firings::Effects).leftOut = one.state.firingsLeft;
        if (!one.state.printed.empty()) add(std::move(one.state.printed), record::Firings::Shown);
    }
    set.summary.hosts = hosts.size();
    set.summary.expected = std::max(known.size(), m_expected);
    set.summary.withDrops = withDrops.size();
    set.summary.running = running.size();
    set.summary.cut = cut.size();
    set.summary.incomplete = incomplete.size();
    set.summary.damaged = m_damaged;
    return set;
}

std::string Collection::Summary::text() const
{
    std::string text = (hosts == expected ? std::to_string(hosts) : std::to_string(hosts) + " of " + std::to_string(expected))
        + (expected == 1 ? " host" : " hosts");
    const auto add = [&](std::uint64_t count, const char* words) {
        if (count > 0) text += ", " + std::to_string(count) + ' ' + words;
    };
    add(withDrops, "with drops");
    add(running, "still running");
    add(cut, "cut short");
    add(incomplete, "incomplete");
    add(refused.size(), "left out");
    add(damaged, damaged == 1 ? "damaged message" : "damaged messages");
    return text;
}

std::vector<std::string> Collection::Summary::outlierTexts(std::size_t most) const
{
    std::vector<std::string> texts;
    for (const auto& one : outliers) {
        if (texts.size() == most) {
            texts.push_back("and " + std::to_string(outliers.size() - most) + " more that differ");
            break;
        }
        texts.push_back(one.text());
    }
    return texts;
}
} // namespace dscope::remote
