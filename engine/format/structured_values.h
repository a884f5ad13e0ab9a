#pragma once
#include "engine/format/document.h"
#include "engine/format/values.h"
#include "engine/record/aggregation_state.h"
#include "engine/record/record.h"
#include <optional>
#include <string>
#include <vector>
/// Values as members of the instance that is open in a document: what FreeBSD's dtrace names them with option oformat.
/// Source: FreeBSD's dtrace(1), "Structured output".
namespace dscope::format {
class StructuredValues {
public:
    StructuredValues(const Context& context, Document& document) : m_context(context), m_document(document) { }
    /// "value" of an integer, a text, or of other bytes in hexadecimal; of stacks and symbols what frames() and symbol() write.
    void value(const record::Field& field, ByteView bytes);
    /// A list "stack-frames" or "ustack-frames", of instances with "symbol", "module", "name", "offset", and where that is known
    /// "file", "line" and "inlined".
    void frames(const record::Field& field, ByteView bytes);
    /// "sym", "mod", "usym", "umod" or "uaddr"; of a symbol that is known "object", "name" and "offset", too.
    void symbol(const record::Field& field, ByteView bytes);
    /// A member of a row's keys: as value(), but with the sign that keys are printed with.
    void key(const record::Field& field, ByteView bytes);
    /// "0x" and two digits a byte.
    void memory(std::string_view name, ByteView bytes);
    /// One row of an aggregation: "keys", then "buckets", or a number that has the name of the function.
    void row(const record::Aggregation& aggregation, ByteView key, const std::vector<std::int64_t>& data, std::int64_t divisor);
    /// What print() shows: a list "type" of the object and its members, as far as its first `most` bytes go.
    void object(const record::Action& action, ByteView payload, std::size_t most);

private:
    struct Object {
        const record::Layout& parts;
        ByteView bytes;
        std::size_t most;
        std::string address; ///< of the whole
    };
    void part(const Object& object, std::size_t at, std::uint64_t shift, std::uint32_t depth);
    void elements(const Object& object, std::size_t at, std::uint64_t shift);
    void word(const record::LayoutPart& part, const Object& object, std::uint64_t bitOffset);

    const Context& m_context;
    Document& m_document;
    std::size_t m_room = 0; ///< instances that an object may still take
};
} // namespace dscope::format
