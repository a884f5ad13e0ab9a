#pragma once
#include "engine/format/effects.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::format {
/// A structured document that is written as it comes, in the terms of FreeBSD's libxo: containers, lists of instances, and leaves.
/// JSON makes them objects, arrays of objects, and members; XML elements, of which a list has one an instance.
///
/// Texts are what was traced. Of bytes that are no UTF-8 each becomes a backslash and three octal digits, as C writes it; so do
/// the control characters that XML has no place for.
class Document {
public:
    explicit Document(Write out) : m_out(std::move(out)) { }
    virtual ~Document() = default;
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;

    /// A container within an instance, or, first of all, the document's own.
    virtual void open(std::string_view name) = 0;
    virtual void close() = 0;
    /// A list, empty until instances follow.
    virtual void openList(std::string_view name) = 0;
    virtual void closeList() = 0;
    virtual void openInstance() = 0;
    virtual void closeInstance() = 0;
    virtual void text(std::string_view name, std::string_view value) = 0;
    /// Digits, perhaps with a point among them, and a sign before them where it is below zero.
    virtual void number(std::string_view name, std::string_view digits) = 0;
    /// Writes out what there is.
    void flush()
    {
        if (!m_text.empty()) m_out(m_text);
        m_text.clear();
    }

    void number(std::string_view name, std::int64_t value) { number(name, std::string_view(std::to_string(value))); }

protected:
    std::string m_text; ///< not written yet

private:
    Write m_out;
};

/// How option oformat asks for a document.
struct DocumentStyle {
    enum class Syntax : std::uint8_t { Json, Xml } syntax = Syntax::Json;
    bool pretty = false; ///< indented, a line each
};
/// That of the option's value: "json", "xml", "json,pretty", "xml,pretty". None of "text" and nothing.
std::optional<DocumentStyle> documentStyle(std::string_view oformat);
std::unique_ptr<Document> makeDocument(DocumentStyle style, Write out);
/// A string of JSON, quoted.
std::string jsonString(std::string_view text);
/// Text of XML.
std::string xmlText(std::string_view text);
} // namespace dscope::format
