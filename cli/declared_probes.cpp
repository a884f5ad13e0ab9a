#include "cli/declared_probes.h"
#include "engine/syntax/parser.h"
#include <algorithm>
#include <array>
#include <string_view>
namespace dscope::cli {
namespace {
/// Bytes of a type in C, negative when it is signed: those that interfaces are declared with. Any other is taken for a word.
int sizeOf(const ast::TypeName& type)
{
    if (!type.modifiers.empty()) return 8;
    struct Row {
        std::string_view name;
        int size;
    };
    static constexpr auto kRows = std::to_array<Row>({{"char", -1}, {"signed char", -1}, {"int8_t", -1}, {"unsigned char", 1},
        {"uint8_t", 1}, {"uchar_t", 1}, {"_Bool", 1}, {"bool", 1}, {"short", -2}, {"int16_t", -2}, {"unsigned short", 2}, {"uint16_t", 2},
        {"ushort_t", 2}, {"int", -4}, {"int32_t", -4}, {"pid_t", -4}, {"unsigned int", 4}, {"unsigned", 4}, {"uint32_t", 4}, {"uint_t", 4},
        {"uid_t", 4}, {"gid_t", 4}, {"mode_t", 4}, {"boolean_t", -4}, {"long", -8}, {"long long", -8}, {"int64_t", -8}, {"ssize_t", -8},
        {"off_t", -8}, {"time_t", -8}, {"intptr_t", -8}});
    const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const Row& each) { return each.name == type.base; });
    return row == kRows.end() ? 8 : row->size;
}
} // namespace

Result<DeclaredProbes> declaredProbes(const ast::Program& program)
{
    DeclaredProbes all;
    for (const auto& item : program.items) {
        const auto* provider = std::get_if<ast::Declaration>(&item.is);
        if (!provider || provider->kind != ast::Declaration::Kind::Provider) continue;
        auto& probes = all[provider->name];
        for (const auto& probe : provider->probes) {
            auto& made = probes[probe.name];
            for (const auto& [name, type] : probe.args)
                made.passed.push_back(sizeOf(type));
            if (!probe.isTranslated)
                for (std::size_t i = 0; i < probe.args.size(); ++i) {
                    made.seen.push_back(i);
                    made.types.push_back(syntax::print(probe.args[i].second));
                }
            for (const auto& [name, type] : probe.translated) {
                const auto from = std::find_if(probe.args.begin(), probe.args.end(),
                    [&, wanted = name](const auto& arg) { return !wanted.empty() && arg.first == wanted; });
                if (from == probe.args.end())
                    return Error{0,
                        "probe " + probe.name + ": " + (name.empty() ? "an argument without a name" : name)
                            + " behind the colon is none of the arguments before it"};
                made.seen.push_back(static_cast<std::size_t>(from - probe.args.begin()));
                made.types.push_back(syntax::print(type));
            }
        }
    }
    return all;
}
} // namespace dscope::cli
