#pragma once
#include <string>
namespace dscope::graph {
/// A number of two runs, and whether the two differ by more than chance.
struct Change {
    double before = 0, after = 0; ///< `before` scaled to the size of the other run, where the runs are
    bool told = false;            ///< false: the difference may be noise
    double difference() const { return after - before; }
    /// Along the palette's difference ramp: 0 gone, 0.5 as before, 1 new; -1 when the difference may be noise.
    double level() const;
    std::string text() const; ///< "+35 %", "−20 %", "×12", "new", "gone"; "±0 %" when nothing changed
};
/// Counted events, `before` times `scale` against `after`. Told when they differ by more than two standard deviations of
/// Poisson counts: |a − s·b| > 2·√(a + s²·b). Source: the variance of a Poisson variable is its mean, and those of
/// independent ones add up.
Change countChange(double before, double after, double scale = 1);
/// Any other number, whose scatter nobody knows: told when it differs by a twentieth of the larger one or more.
Change valueChange(double before, double after, double scale = 1);
/// What countChange and valueChange hold for noise, as a legend says it.
std::string noiseText(bool counts);
/// "What changed: calls by execname" of a title "Calls by execname".
std::string changedTitle(std::string title);
} // namespace dscope::graph
