#pragma once
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/record/key_filter.h"
#include "graph/store.h"
#include <vector>
#endif
#include <QStringList>
#include <optional>
namespace dscope::gui {
/// What of a run all views show.
struct Selection {
    /// A stretch of time: ns, CLOCK_MONOTONIC.
    struct Time {
        std::int64_t from = 0, to = 0;
        bool operator==(const Time&) const = default;
    };
    std::optional<Time> time;
    QStringList functions; ///< only stacks that have one of these frames, by their full names
    QStringList without;   ///< no stacks that have one of these
    std::vector<record::KeyValue> keys; ///< only what has all of these keys' values
    QString event;                      ///< of imported stacks, which are shown; empty: the first, of which there are most samples
    bool isAll() const { return !time && functions.isEmpty() && without.isEmpty() && keys.empty() && event.isEmpty(); }
    bool operator==(const Selection&) const = default;
};
/// How a store reads the records that are to come, and what it shows of them once they are there.
void prepare(graph::Store& store, const Selection& selection);
Result<> apply(graph::Store& store, const Selection& selection);
} // namespace dscope::gui
