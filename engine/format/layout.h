#pragma once
#include "engine/base/bytes.h"
#include "engine/record/record.h"
#include <string>
/// print(): an object as C would initialize it. What an object consists of is told in the action's format, a line a part,
/// the whole first and parts in order, each after what it is part of:
///
///     DEPTH KIND BITOFFSET BITS COUNT<TAB>NAME<TAB>TYPE[<TAB>ENUMERATOR=VALUE]...
///
/// KIND: s struct or union, a array (of COUNT elements; the next line is the first of them), i signed, u unsigned, c char,
/// p pointer, e enum, x anything else. BITOFFSET is from the start of the object.
namespace dscope::format {
/// "0xADDR = *", then the object; of its first `most` bytes, what is not zero.
std::string objectText(const record::Action& action, ByteView payload, std::size_t most);
} // namespace dscope::format
