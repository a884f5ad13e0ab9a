#pragma once
#include "graph/metrics.h"
#include <ostream>
#include <span>
namespace dscope::exporters {
/// All that a scraper is given, with the end that OpenMetrics wants.
void writeOpenMetrics(std::span<const graph::Metric> metrics, std::ostream& out);
/// What HTTP calls it.
constexpr const char* kOpenMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8";
} // namespace dscope::exporters
