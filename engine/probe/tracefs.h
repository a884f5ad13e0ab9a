#pragma once
#include "engine/host/host.h"
namespace dscope::probe {
/// Events as tracefs has them: what a tracepoint records, under the name of a subsystem.
struct Event {
    std::string subsystem, name;
};
/// All, in tracefs' order; empty where tracefs can't be read (it wants root).
std::vector<Event> events(const host::Host& host);
/// A member of an event's record.
struct EventField {
    std::string type, name; ///< "char[16]", "comm"; "__data_loc char[]", "name"
    std::uint32_t offset = 0, size = 0;
    bool isSigned = false;
};
/// Without those that all events have in common.
Result<std::vector<EventField>> eventFields(const host::Host& host, const std::string& subsystem, const std::string& event);
} // namespace dscope::probe
