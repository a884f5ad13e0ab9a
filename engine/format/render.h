#pragma once
#include "engine/format/charts.h"
#include "engine/format/printf.h"
#include "engine/format/values.h"
#include "engine/record/aggregation_state.h"
#include <span>
namespace dscope::format {
/// An aggregation's value, for the %@ conversions of printa().
struct AggregationValue {
    const record::Aggregation* aggregation = nullptr;
    std::vector<std::int64_t> data;
    std::int64_t divisor = 1;
    Scale scale = Scale::Sum; ///< option aggzoom
};
/// Fills in a format. Plain conversions (and dynamic widths and precisions) take `fields` of `bytes` in order, a payload's
/// or a key's; %@ ones take `values` in order, the last one again when there are no more. A conversion for which there is
/// no field is left out.
std::string render(const Context& context, const std::vector<Conversion>& format, std::span<const record::Field> fields, ByteView bytes,
    std::span<const AggregationValue> values = {});
} // namespace dscope::format
