#include "graph/process_stretch.h"
#include <algorithm>
#include <unordered_map>
namespace dscope::graph {
using record::ProcessEvent;

std::vector<ProcessEvent> eventsWithin(std::span<const ProcessEvent> events, std::int64_t from, std::int64_t to)
{
    std::vector<ProcessEvent> out;
    std::vector<ProcessEvent> alive;                       // in the order of their coming, so that a parent stands before its children
    std::unordered_map<std::uint32_t, std::size_t> places; // by pid, in `alive`
    std::vector<bool> isGone;
    const auto begin = [&](ProcessEvent event) {
        event.kind = ProcessEvent::Kind::Existing;
        event.when = record::Nanoseconds(from);
        if (const auto known = places.find(event.pid); known != places.end()) isGone[known->second] = true;
        places[event.pid] = alive.size();
        alive.push_back(std::move(event));
        isGone.push_back(false);
    };

    std::size_t next = 0;
    for (; next < events.size() && events[next].when.count() < from; ++next) {
        auto event = events[next];
        const auto known = places.find(event.pid);
        switch (event.kind) {
        case ProcessEvent::Kind::Existing: begin(event); break;
        case ProcessEvent::Kind::Fork:
            if (const auto parent = places.find(event.parent); parent != places.end() && event.path.empty()) {
                const auto& was = alive[parent->second];
                event.path = was.path;
                event.args = was.args;
                event.argsCut = was.argsCut;
                event.cwd = was.cwd;
                if (event.execname.empty()) event.execname = was.execname;
            }
            begin(event);
            break;
        case ProcessEvent::Kind::Exec:
            if (known == places.end()) {
                begin(event);
                break;
            }
            {
                const auto parent = alive[known->second].parent;
                auto& now = alive[known->second];
                now = event;
                now.kind = ProcessEvent::Kind::Existing;
                now.when = record::Nanoseconds(from);
                now.parent = parent;
            }
            break;
        case ProcessEvent::Kind::ExecFailed: break;
        case ProcessEvent::Kind::Exit:
            if (known != places.end()) {
                isGone[known->second] = true;
                places.erase(known);
            }
            break;
        }
    }

    for (std::size_t i = 0; i < alive.size(); ++i)
        if (!isGone[i]) out.push_back(std::move(alive[i]));
    for (; next < events.size(); ++next)
        if (events[next].when.count() <= to) out.push_back(events[next]);
    return out;
}
} // namespace dscope::graph
