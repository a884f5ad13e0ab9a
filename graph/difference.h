#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>
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
/// The change that lies at a place of the difference ramp: what Change::level() gives, the other way round.
Change changeAtLevel(double level);
/// How many standard deviations one of `comparisons` differences must be, that of two runs alike in twenty times at most
/// one shows any: 2 for a single one, 3.5 for a hundred. Source: Bonferroni's inequality, and the normal distribution.
double deviationsAmong(std::size_t comparisons);
/// Counted events, `before` times `scale` against `after`. Told when they differ by more than so many standard deviations of
/// Poisson counts: |a − s·b| > d·√(s·(a + b)). Source: the variance of a Poisson variable is its mean, those of independent
/// ones add up, and what both runs would have if they were alike is best told by both together.
/// `variance`: what there is of it beyond counting (RunScatter).
Change countChange(double before, double after, double scale = 1, double deviations = 2, double variance = 0);
/// The change of a number whose scatter is unknown. It counts as a change if it is at least 1/20 of the larger number and
/// at least 1/200 of `whole`. Where the scatter of runs is known, it also has to be more than `noise`.
Change valueChange(double before, double after, double scale = 1, double whole = 0, double noise = 0);
/// What countChange and valueChange hold for noise, as a legend says it.
std::string countNoise(double deviations);
std::string valueNoise();
/// With the whole that the values are parts of.
std::string valueNoiseInWhole();
/// "What changed: calls by execname" of a title "Calls by execname".
std::string changedTitle(std::string title);
/// The change of the total, " (+28 % samples in all)", to append to a title. Empty if the total did not change or a run has none.
std::string changedTotal(double before, double after, std::string_view what);
/// Forms of a title of two runs with the change of the total, the longest first: the shorter ones leave out what was compared, then what
/// was counted, for pages whose subtitle and marks say it.
std::vector<std::string> changedTitles(const std::string& title, double before, double after, std::string_view what);
} // namespace dscope::graph
