#pragma once
#include <string>
#include <string_view>
/// What objects with probes call things, so that those that are linked together meet.
namespace dscope::cli {
inline constexpr std::string_view kProbeCall = "__dtrace_";            ///< before PROVIDER___PROBE: the function that stands for a probe
inline constexpr std::string_view kProbeQuestion = "__dtraceenabled_"; ///< likewise: whether somebody traces it
inline constexpr std::string_view kNotesBase = "_.stapsdt.base";       ///< what notes of systemtap's form measure from
/// The count of those who trace a probe.
inline std::string counterOf(const std::string& provider, const std::string& probe) { return provider + "_" + probe + "_semaphore"; }
} // namespace dscope::cli
