#pragma once
#include "engine/record/record.h"
namespace dscope::decode {
/// A RawProcess with what follows it, as an event. Error when it reaches past the end of `raw` or is of no known kind.
Result<record::ProcessEvent> processEvent(ByteView raw);
} // namespace dscope::decode
