#pragma once
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/record/record.h"
#include "graph/store.h"
#endif
#include <QString>
#include <map>
#include <optional>
namespace dscope::gui {
/// How many records or values of each kind a run has lost.
using Losses = std::map<record::Drop::Kind, std::uint64_t>;
/// What gives a program the room that it lacked.
struct Advice {
    QString option, value; ///< of #pragma D option: "bufsize", "16m"
    bool operator==(const Advice&) const = default;
};
/// For the kind that has lost most; none where no option gives it room. The value is four times what the program has now.
std::optional<Advice> adviceOn(const Losses& losses, const QString& program);
/// The program with the option; a line that sets it already is changed.
QString withOption(const QString& program, const Advice& advice);
/// "992,996 of 1,500,016 events were lost", by the kind that has lost most. `kept`: events that came; 0: not known.
QString lossText(const Losses& losses, std::uint64_t kept);
/// What the window has not kept of a run, so that its memory stays within bounds: "1,200,000 later records are not kept here". Empty: all
/// is.
QString boundsText(const graph::Store::Bounds& bounds);
} // namespace dscope::gui
