#pragma once
#include "engine/record/record.h"
namespace dscope::record {
/// Recordings of before 1.3 have some facts of a run as options and as text: the options `_zone`, `_lines` and `_testing`, and
/// in the format of print() the layout of its object. This takes them from there and puts them where they are today.
void readFactsOfBefore13(Program& program);
} // namespace dscope::record
