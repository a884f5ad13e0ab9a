#include "engine/sema/builtins.h"
#include "engine/language/variables.h"
#include <algorithm>
#include <array>
namespace dscope::sema {
namespace {
struct Meaning {
    std::string_view name;
    Builtin builtin;
};
/// Those that the machine gives; the others are made of D (base_library.cpp, providers/*.d) or are no scalars.
constexpr auto kMeanings = std::to_array<Meaning>({
    {"caller", Builtin::Caller},
    {"cpu", Builtin::Cpu},
    {"curcpu", Builtin::Curcpu},
    {"curthread", Builtin::Curthread},
    {"epid", Builtin::EnabledProbeId},
    {"errno", Builtin::Errno},
    {"execargs", Builtin::Execargs},
    {"execname", Builtin::Execname},
    {"gid", Builtin::Gid},
    {"id", Builtin::ProbeId},
    {"ipl", Builtin::Ipl},
    {"pid", Builtin::Pid},
    {"ppid", Builtin::Ppid},
    {"probefunc", Builtin::ProbeFunc},
    {"probemod", Builtin::ProbeMod},
    {"probename", Builtin::ProbeName},
    {"probeprov", Builtin::ProbeProv},
    {"stackdepth", Builtin::StackDepth},
    {"tid", Builtin::Tid},
    {"timestamp", Builtin::Timestamp},
    {"ucaller", Builtin::Ucaller},
    {"uid", Builtin::Uid},
    {"ustackdepth", Builtin::UstackDepth},
    {"vtimestamp", Builtin::Vtimestamp},
    {"walltimestamp", Builtin::Walltimestamp},
});
constexpr auto kRows = [] {
    std::array<BuiltinRow, kMeanings.size()> rows{};
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const auto& variable : language::kVariables)
            if (variable.name() == kMeanings[i].name) rows[i] = {variable.name(), kMeanings[i].builtin, variable.type()};
    return rows;
}();
static_assert(std::none_of(kRows.begin(), kRows.end(), [](const BuiltinRow& row) { return row.name.empty(); }),
    "a variable has no row in engine/language/variables.h");
} // namespace

std::span<const BuiltinRow> builtinRows() { return kRows; }
const BuiltinRow* findBuiltin(std::string_view name)
{
    const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const BuiltinRow& r) { return r.name == name; });
    return row == kRows.end() ? nullptr : &*row;
}
std::optional<BuiltinArray> findArray(std::string_view name)
{
    struct Row {
        std::string_view name;
        BuiltinArray array;
    };
    static constexpr auto kArrays = std::to_array<Row>({
        {"args", BuiltinArray::Arguments},
        {"fds", BuiltinArray::Files},
        {"raw", BuiltinArray::Raw},
        {"uregs", BuiltinArray::UserRegisters},
    });
    const auto row = std::find_if(kArrays.begin(), kArrays.end(), [&](const Row& r) { return r.name == name; });
    return row == kArrays.end() ? std::nullopt : std::optional(row->array);
}
int argumentNumber(std::string_view name)
{
    if (name.size() != 4 || !name.starts_with("arg") || name[3] < '0' || name[3] > '9') return -1;
    return name[3] - '0';
}
} // namespace dscope::sema
