#include "exporters/exporter.h"
#include "graph/stacks.h"
#include "graph/text.h"
namespace dscope::exporters {
namespace {
class Folded final : public Exporter {
public:
    std::string_view suffix() const override { return "folded"; }
    std::string_view summary() const override { return "Folded stacks, a line each; compared, with two numbers"; }
    bool accepts(const graph::Visual& visual) const override
    {
        return visual.stacks() != nullptr || visual.eachChange([](std::string_view, const std::string&, const std::string&) {});
    }

    Result<> write(const graph::Visual& visual, const Options&, std::ostream& out) const override
    {
        // As FlameGraph's difffolded.pl writes two runs, and its flamegraph.pl reads them.
        const bool isCompared = visual.eachChange([&](std::string_view stack, const std::string& before, const std::string& after) {
            out << graph::printable(stack) << ' ' << before << ' ' << after << '\n';
        });
        const auto stacks = visual.stacks();
        if (isCompared) return out ? Result<>() : Error{0, "cannot write the stacks"};
        if (!stacks) return Error{0, "only stacks can be written as folded text"};
        const auto& measure = stacks->measure();
        stacks->eachLine([&](std::string_view stack, std::int64_t value) {
            if (graph::isPlain(stack))
                out.write(stack.data(), static_cast<std::streamsize>(stack.size()));
            else
                out << graph::printable(stack);
            out << ' ' << measure.exact(value) << '\n';
        });
        if (!out) return Error{0, "cannot write the stacks"};
        return {};
    }
};
} // namespace

std::unique_ptr<Exporter> make_folded() { return std::make_unique<Folded>(); }
} // namespace dscope::exporters
