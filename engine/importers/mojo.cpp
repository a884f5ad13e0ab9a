#include "engine/text/importer.h"
namespace dscope::importers {
namespace {
/// Austin's binary format, which austin 4 writes: nothing of it is read, but it is known, so that the error can say what to do.
/// Source: github.com/P403n1x87/austin, src/mojo.h
class Mojo final : public text::Importer {
public:
    std::string_view name() const override { return "mojo"; }
    std::string_view summary() const override { return "austin's binary files: not read; it tells how to make text of them"; }
    bool isBinary() const override { return true; }
    text::Guess guess(std::string_view head) const override
    {
        return head.size() > 3 && head.starts_with("MOJ") && head[3] < ' ' ? text::Guess::Yes : text::Guess::No;
    }
    Result<text::Imported> read(text::Lines& lines) const override
    {
        const auto head = lines.head();
        if (!head.starts_with("MOJ")) return text::Imported::nothing("it does not begin with MOJ, as austin's binary files do", head, 0);
        return Error{0, "austin's binary format is not read: make text of it with \"mojo2austin IN OUT\" (pip install austin-python)"};
    }
};
} // namespace

std::unique_ptr<text::Importer> make_mojo() { return std::make_unique<Mojo>(); }
} // namespace dscope::importers
