#pragma once
#include "gui/feed.h"
/// What snapshots of a store are made with, wherever its records come from.
namespace dscope::gui {
/// All that can be drawn and read of a store. `code`: reads what is disassembled. `seen`: of the others, what `before` has, a snapshot of
/// the same store; none: all are made.
void showStore(Snapshot& snapshot, graph::Store& store, const Feed::Places& places, const record::ReadCode& code,
    const std::optional<Feed::Seen>& seen = {}, const Snapshot* before = nullptr);
/// The title of a view in the window's language; any thread may ask.
QString titleOf(const graph::Visual& visual);
/// Of a table the first rows; `rows`: how many there are in all.
std::shared_ptr<const graph::Table> tableOf(const graph::Visual& visual, std::size_t& rows);
/// The same of a store that has not changed since `drawn` was made.
void showAgain(Snapshot& snapshot, const Snapshot& drawn);
/// What it says of the program and the machine.
void showProgram(Snapshot& snapshot, const graph::Store& store);
/// Reads each function once: a live figure asks for the same one ten times a second. For several threads.
record::ReadCode rememberingReader(const Feed::Places& places);
/// Host, kernel, version and command, a line each.
QString whereabouts(const record::Program& program);
} // namespace dscope::gui
