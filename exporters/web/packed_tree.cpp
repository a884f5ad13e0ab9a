#include "exporters/web/packed_tree.h"
#include "engine/base/base64.h"
#include "exporters/web/facts.h"
#include <algorithm>
#include <zlib.h>
namespace dscope::exporters {
namespace {
void addNumber(std::string& out, std::uint64_t number) // LEB128
{
    for (; number >= 128; number >>= 7)
        out += static_cast<char>((number & 127) | 128);
    out += static_cast<char>(number);
}
void addText(std::string& out, std::string_view text)
{
    addNumber(out, text.size());
    out += text;
}
std::string deflated(const std::string& plain)
{
    uLongf size = ::compressBound(plain.size());
    std::string packed(size, '\0');
    const int done
        = ::compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(plain.data()), plain.size(), 6);
    DSCOPE_ASSERT(done == Z_OK);
    packed.resize(size);
    return packed;
}
/// The forms of all names that have more than one.
std::string formsOf(const graph::StackTree& tree)
{
    std::string out;
    for (const auto& frame : tree.frames)
        if (const auto forms = formsJson(frame.shown()); !forms.empty())
            out += (out.empty() ? '{' : ',') + quotedJson(frame.shown()) + ':' + forms;
    return out.empty() ? "{}" : out + '}';
}
record::StackUnit unitOf(const graph::StackMeasure& measure)
{
    if (measure.isCount) return record::StackUnit::Count;
    switch (measure.unit()) {
    case graph::Unit::Nanoseconds: return record::StackUnit::Time;
    case graph::Unit::Bytes: return record::StackUnit::Bytes;
    default: return record::StackUnit::Unknown;
    }
}
} // namespace

std::string packedTree(const graph::StackTree& tree, const graph::StackMeasure& measure)
{
    std::string plain;
    plain += static_cast<char>(unitOf(measure));
    addText(plain, measure.name.empty() ? measure.noun.plural() : measure.name);
    addNumber(plain, tree.frames.size());
    for (const auto& frame : tree.frames) {
        addText(plain, frame.name);
        addNumber(plain, frame.mark);
    }

    // Column by column, as numbers of one kind are alike.
    addNumber(plain, tree.nodes.size());
    for (const auto& node : tree.nodes)
        addNumber(plain, node.name);
    for (std::size_t i = 1; i < tree.nodes.size(); ++i) // how many levels nearer to the root than a callee of the node before
        addNumber(plain, tree.nodes[i - 1].depth + 1 - tree.nodes[i].depth);
    for (const auto& node : tree.nodes)
        addNumber(plain, static_cast<std::uint64_t>(std::max<std::int64_t>(measure.inUnit(node.self), 0)));
    for (const auto& node : tree.nodes)
        plain += static_cast<char>(std::min<std::ptrdiff_t>(
            std::find(kPackedKinds.begin(), kPackedKinds.end(), node.shade) - kPackedKinds.begin(), kPackedKinds.size() - 1));
    return deflated(plain);
}

void writeTreeFacts(const graph::StackTree& tree, std::string_view where, const graph::Palette& palette, graph::Growth growth,
    std::string_view part, std::ostream& out)
{
    std::string fills, inks;
    for (const auto shade : kPackedKinds) {
        graph::Item item;
        item.role = graph::Role::Frame;
        item.shade = shade;
        item.shape = graph::Box{};
        fills += (fills.empty() ? "\"" : ",\"") + graph::colourText(graph::style(item, palette).fill) + '"';
        item.shape = graph::Text{};
        inks += (inks.empty() ? "\"" : ",\"") + graph::colourText(graph::style(item, palette).text) + '"';
    }
    out << "<script type=\"application/json\" " << part << ">{" << lookJson(growth, palette) << ",\"kinds\":[" << fills << "],\"inks\":["
        << inks << "],\"forms\":\"" << base64(deflated(formsOf(tree))) << "\"," << where << "}</script>\n";
}
} // namespace dscope::exporters
