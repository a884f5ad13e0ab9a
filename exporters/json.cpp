#include "exporters/exporter.h"
#include "graph/text.h"
#include <array>
#include <unordered_map>
namespace dscope::exporters {
namespace {
std::string quoted(std::string_view raw)
{
    std::string out = "\"";
    for (const char c : graph::printable(raw)) { // no control characters are left
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

/// Stacks for speedscope: frames once, then for every stack the numbers of its frames from the root, and its weight.
/// Source: https://www.speedscope.app/file-format-schema.json, "SampledProfile".
class Json final : public Exporter {
public:
    std::string_view suffix() const override { return "json"; }
    std::string_view summary() const override { return "speedscope"; }
    bool accepts(const graph::Visual& visual) const override { return visual.hasFolded(); }
    Result<> write(const graph::Visual& visual, const Options&, std::ostream& out) const override
    {
        const auto lines = visual.folded();
        if (!lines) return Error{0, "only stacks can be written for speedscope"};
        std::unordered_map<std::string, std::size_t> numbers;
        std::string samples, weights, frames;
        std::int64_t total = 0;
        for (const auto& [stack, value] : *lines) {
            samples += samples.empty() ? "[" : ",\n[";
            for (std::size_t at = 0; at <= stack.size();) {
                const auto end = std::min(stack.find(';', at), stack.size());
                const auto [frame, isNew] = numbers.try_emplace(stack.substr(at, end - at), numbers.size());
                if (isNew) frames += (frames.empty() ? "{\"name\":" : ",\n{\"name\":") + quoted(frame->first) + '}';
                samples += (at == 0 ? "" : ",") + std::to_string(frame->second);
                at = end + 1;
            }
            samples += ']';
            weights += (weights.empty() ? "" : ",") + std::to_string(value);
            total += value;
        }
        const auto name = quoted(visual.title());
        out << "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"dscope " DSCOPE_VERSION "\",\"name\":"
            << name << ",\"activeProfileIndex\":0,\"shared\":{\"frames\":[" << frames
            << "]},\"profiles\":[{\"type\":\"sampled\",\"name\":" << name << ",\"unit\":\"none\",\"startValue\":0,\"endValue\":" << total
            << ",\"samples\":[" << samples << "],\"weights\":[" << weights << "]}]}\n";
        if (!out) return Error{0, "cannot write the stacks"};
        return {};
    }
};
} // namespace

std::unique_ptr<Exporter> make_json() { return std::make_unique<Json>(); }
} // namespace dscope::exporters
