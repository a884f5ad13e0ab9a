#include "engine/base/base64.h"
#include "engine/base/fd.h"
#include "engine/record/wire.h"
#include "engine/text/drawn_stacks.h"
#include "engine/text/gzip.h"
#include "engine/text/importer.h"
#include "engine/text/packed_stacks.h"
#include <algorithm>
#include <cerrno>
#include <set>
#include <sys/mman.h>
#include <utility>
namespace dscope::importers {
std::unique_ptr<text::Importer> make_folded();
namespace {
using text::Guess;
constexpr std::size_t kMostBytes = std::size_t{512} << 20; // of what is inflated

struct Part {
    bool isBefore = false;
    std::string run, name; ///< of a page of several runs
    std::string format, bytes;
};
/// The value of `name` in a tag (name="value") or an object ("name":"value").
std::string_view valueOf(std::string_view text, const std::string& name)
{
    for (const auto& start : {' ' + name + "=\"", '"' + name + "\":\""}) {
        const auto at = text.find(start);
        if (at == text.npos) continue;
        const auto value = text.substr(at + start.size());
        return value.substr(0, value.find('"'));
    }
    return {};
}
Result<Part> partOf(std::string_view head, std::string_view base64)
{
    auto bytes = fromBase64(base64);
    if (!bytes) return Error{0, "the data in it is damaged: it is not in base64"};
    return Part{valueOf(head, "role") == "before", std::string(valueOf(head, "run")), std::string(valueOf(head, "name")),
        std::string(valueOf(head, "format")), std::move(*bytes)};
}
/// What exporters/svg.cpp and exporters/html.cpp put into a figure.
Result<std::vector<Part>> partsOf(std::string_view text)
{
    std::vector<Part> parts;
    for (std::size_t at = 0; (at = text.find("<dscope:data", at)) != text.npos;) {
        const auto end = text.find('>', at), close = text.find('<', end == text.npos ? at + 1 : end);
        if (end == text.npos || close == text.npos) return Error{0, "it is cut"};
        DSCOPE_TRY(auto part, partOf(text.substr(at, end - at), text.substr(end + 1, close - end - 1)));
        parts.push_back(std::move(part));
        at = close;
    }
    auto at = text.find("id=\"dscope-data\"");
    if (at == text.npos) return parts;
    const auto end = text.find("</script>", at);
    if (end == text.npos) return Error{0, "it is cut"};
    while ((at = text.find("{\"role\":", at)) < end) {
        const auto close = text.find('}', at);
        const auto object = text.substr(at, close - at);
        DSCOPE_TRY(auto part, partOf(object, valueOf(object, "base64")));
        parts.push_back(std::move(part));
        at = close;
    }
    return parts;
}
Result<> readRecording(const std::string& bytes, text::Imported& out)
{
    const Fd file(::memfd_create("dscope", MFD_CLOEXEC));
    if (!file) return systemError(errno);
    for (std::size_t at = 0; at < bytes.size();) {
        const auto n = ::pwrite(file.get(), bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
        if (n <= 0) return systemError(errno);
        at += static_cast<std::size_t>(n);
    }
    record::Reader reader(file.get());
    for (;;) {
        DSCOPE_TRY(const bool more, reader.poll(std::chrono::milliseconds(0), [&](const record::Record& r) {
            if (const auto* program = std::get_if<record::Program>(&r))
                out.program = *program;
            else
                out.records.push_back(r);
        }));
        if (!more) return {};
    }
}
/// Stacks do not shrink to less than a two-hundredth, and what does is none.
Result<std::string> inflated(const std::string& deflated)
{
    constexpr std::size_t kMostTimes = 200, kFew = std::size_t{16} << 20;
    const auto most = std::min(kMostBytes, std::max(kFew, deflated.size() * kMostTimes));
    auto plain = text::inflated(deflated, most, text::Inflate::Whole);
    if (!plain) return Error{0, "the stacks in it are damaged: " + plain.error().message};
    return plain;
}
/// Stacks as large pages hold them: a tree.
Result<> readTree(const std::string& deflated, text::Imported& out)
{
    DSCOPE_TRY(const auto bytes, inflated(deflated));
    DSCOPE_TRY(auto stacks, text::packedStacks(bytes));
    out.records.insert(out.records.begin(), std::move(stacks));
    return {};
}
/// Stacks as figures of format 1.0 hold them: beside the recording, as deflated text.
Result<> readFolded(const std::string& deflated, text::Imported& out)
{
    DSCOPE_TRY(const auto plain, inflated(deflated));
    text::Lines lines(plain);
    DSCOPE_TRY(auto folded, make_folded()->read(lines));
    for (const auto& record : folded.records)
        if (std::holds_alternative<record::CountedStacks>(record)) out.records.insert(out.records.begin(), record);
    return {};
}

/// All parts of one run: it, and what it was compared with.
Result<text::Imported> runOf(const std::vector<Part>& parts, const std::string& run)
{
    text::Imported out, before;
    std::set<std::pair<bool, std::string>> seen;
    for (const auto& part : parts) {
        if (part.run != run) continue;
        if (!seen.emplace(part.isBefore, part.format).second)
            return Error{0, "it holds the data of more than one figure: import each by itself"};
        auto& to = part.isBefore ? before : out;
        out.name = part.name;
        if (part.format == "recording")
            DSCOPE_CHECK(readRecording(part.bytes, to));
        else if (part.format == "folded")
            DSCOPE_CHECK(readFolded(part.bytes, to));
        else if (part.format == "tree")
            DSCOPE_CHECK(readTree(part.bytes, to));
        else
            return Error{0, "it is of a newer dscope: its data is in a format called \"" + part.format + '"'};
    }

    if (std::any_of(seen.begin(), seen.end(), [](const auto& part) { return part.first; })) {
        out.comparedWith = std::move(before.records);
        out.comparedWith.insert(out.comparedWith.begin(), before.program);
    }
    return out;
}

class Figure final : public text::Importer {
public:
    std::string_view name() const override { return "figure"; }
    std::string_view summary() const override
    {
        return "an SVG or a web page that dscope wrote, with its data inside, or a flame graph as flamegraph.pl draws them";
    }

    Guess guess(std::string_view head) const override
    {
        const auto at = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
        if (at == head.npos) return Guess::No;
        const auto begin = head.substr(at, 256);
        for (const std::string_view start : {"<?xml", "<svg", "<!DOCTYPE", "<!doctype", "<html"})
            if (begin.starts_with(start)) return Guess::Yes;
        return Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        std::string whole;
        std::string_view line;
        while (lines.next(line)) {
            if (whole.size() + line.size() > kMostBytes) return Error{0, "it is larger than any figure"};
            whole.append(line).append("\n");
        }

        DSCOPE_TRY(const auto parts, partsOf(whole));
        text::Imported out;
        if (parts.empty()) {
            if (auto drawn = text::drawnStacks(whole)) out.add(std::move(*drawn));
            if (!out.records.empty()) return out;
            out.misunderstand(1, std::string_view(whole).substr(0, whole.find('\n')));
            return out.nothing(whole.find("dscope") == whole.npos
                    ? "dscope did not write it, nor is it a flame graph as flamegraph.pl draws them"
                    : "it holds no data: that was left out (--no-data, --redact) or too large, or the figure was edited; import what it "
                      "was made from");
        }

        std::vector<std::string> runs; // in their order
        for (const auto& part : parts)
            if (std::find(runs.begin(), runs.end(), part.run) == runs.end()) runs.push_back(part.run);
        for (const auto& run : runs) {
            DSCOPE_TRY(auto held, runOf(parts, run));
            if (run == runs.front()) {
                out = std::move(held);
                continue;
            }
            text::Imported::Run other{std::move(held.name), std::move(held.records), std::move(held.comparedWith)};
            other.records.insert(other.records.begin(), held.program);
            out.further.push_back(std::move(other));
        }
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_figure() { return std::make_unique<Figure>(); }
} // namespace dscope::importers
