#include "graph/source_texts.h"
#include "graph/stacks.h"
#include "graph/store.h"
namespace dscope::graph {
void supplySources(Store& store, const ReadSource& read)
{
    if (!store.tellsLines()) return;
    Frames frames;
    stacksOf(store)->each(frames, [](std::span<const StackStep>, std::int64_t) {});
    auto texts = store.sources() ? *store.sources() : SourceTexts{};
    const auto before = texts.size();
    for (const auto& line : frames.lines()) {
        if (line.line == 0) continue;
        const auto [text, isNew] = texts.try_emplace(line.file);
        if (!isNew) continue;
        if (auto lines = read(line.file)) text->second = std::make_shared<const std::vector<std::string>>(*std::move(lines));
    }
    if (texts.size() != before) store.have(std::make_shared<const SourceTexts>(std::move(texts)));
}
} // namespace dscope::graph
