#include "engine/base/fd.h"
#include "engine/probe/pattern.h"
#include "engine/symbols/code_file.h"
#include "engine/symbols/operand.h"
#include "engine/symbols/probe_notes.h"
#include "engine/symbols/process_objects.h"
#include "engine/types/type_table.h"
#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <map>
#include <unistd.h>
#include <unordered_map>
namespace dscope::providers {
namespace {
using probe::isGlob;
using symbols::CodeFile;
using symbols::ProbeNote;
using symbols::ProcessObject;

/// The process that a provider's part ends with; empty where none is named, nor where a wildcard stands before its digits:
/// "prov*7" is any process whose number ends with 7.
std::string_view trailingDigits(std::string_view provider)
{
    const auto last = provider.find_last_not_of("0123456789");
    if (last == provider.npos || std::string_view("*?]").find(provider[last]) != std::string_view::npos) return {};
    return provider.substr(last + 1);
}
/// C names can't hold a dash: two underscores stand for one.
std::string dashed(std::string_view name)
{
    std::string out;
    for (std::size_t i = 0; i < name.size(); ++i)
        if (name.substr(i, 2) == "__") {
            out += '-';
            ++i;
        } else {
            out += name[i];
        }
    return out;
}

/// A file with notes, and its functions once one of them is asked for.
struct Noted {
    std::vector<ProbeNote> notes;
    std::vector<symbols::ProbeDeclaration> declarations; ///< where -G wrote them
    std::shared_ptr<CodeFile> code;
};
/// A probe of one process: the same name may be marked at several places.
struct Made {
    int pid = 0;
    ProcessObject object;
    std::shared_ptr<Noted> file;
    std::vector<const ProbeNote*> notes;
};

/// What programs tell of themselves with <sys/sdt.h>.
class Usdt final : public probe::Provider {
public:
    std::string_view name() const override { return "usdt"; }
    std::string_view summary() const override
    {
        return "what programs mark in themselves by <sys/sdt.h>: their own providers, followed by the process (python1234)";
    }
    std::string_view example() const override { return "python$target:::function-entry"; }

    probe::Stability stability() const override
    {
        using namespace probe;
        return {kEvolvingIsa, kPrivate, kPrivate, kEvolvingIsa, kPrivate};
    }

    bool serves(std::string_view provider) const override
    {
        const auto digits = trailingDigits(provider);
        return !digits.empty() && digits.size() < provider.size() && !(provider.starts_with("pid") && digits.size() + 3 == provider.size());
    }

    bool mayServe(std::string_view glob) const override
    {
        // All processes are searched only if the glob has a part of the provider's name.
        return !glob.empty() && glob.find_first_not_of("*?") != glob.npos;
    }
    bool onDemand() const override { return true; }

    Result<> list(const host::Host& host, const probe::Pattern& wanted, const Found& found) const override
    {
        const auto digits = trailingDigits(wanted.provider);
        if (!digits.empty()) {
            int pid = 0;
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), pid);
            if (error != std::errc{} || pid <= 0 || pid == ::getpid()) return {};
            process(host, pid, wanted, found);
            return {};
        }
        if (!isGlob(wanted.provider) || !mayServe(wanted.provider)) return {};
        const auto names = host.entries("/proc");
        if (!names) return {};
        for (const auto& entry : *names) {
            int pid = 0;
            const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), pid);
            if (error == std::errc{} && end == entry.data() + entry.size() && pid != ::getpid()) process(host, pid, wanted, found);
        }
        return {};
    }

    Result<probe::Description> describe(const host::Host& host, const probe::Name& probe) const override
    {
        const auto at = m_made.find(probe.spelled());
        if (at == m_made.end()) return Error{0, "no probe " + probe.spelled()};
        return described(host, at->second);
    }

private:
    void process(const host::Host& host, int pid, const probe::Pattern& wanted, const Found& found) const
    {
        const auto objects = symbols::objectsOf(host, pid);
        if (!objects) return;
        const auto suffix = std::to_string(pid);
        for (const auto& object : *objects) {
            if (!symbols::isModule(object, wanted.module)) continue;
            const auto file = noted(host, object);
            std::vector<probe::Name> names;
            for (const auto& note : file->notes) {
                probe::Name full{note.provider + suffix, object.name, {}, dashed(note.name)};
                if (!probe::matches(wanted.provider, full.provider)) continue;
                if (!probe::matches(wanted.name, full.name) && !probe::matches(wanted.name, note.name)) continue;
                full.function = functionOf(host, pid, object, *file, note);
                if (!probe::matches(wanted.function, full.function)) continue;
                auto& made = m_made[full.spelled()];
                if (made.notes.empty()) made = {pid, object, file, {}};
                if (std::find(made.notes.begin(), made.notes.end(), &note) == made.notes.end()) made.notes.push_back(&note);
                if (std::find(names.begin(), names.end(), full) == names.end()) names.push_back(std::move(full));
            }
            for (auto& full : names)
                found(std::move(full));
        }
    }

    std::shared_ptr<Noted> noted(const host::Host& host, const ProcessObject& object) const
    {
        auto& file = m_files[{object.path, object.inode}];
        if (file) return file;
        file = std::make_shared<Noted>();
        auto elf = symbols::ElfFile::open(host.open(object.file, O_RDONLY | O_NONBLOCK));
        if (elf) {
            file->notes = symbols::probeNotes(*elf);
            file->declarations = symbols::probeDeclarations(*elf);
        }
        return file;
    }

    static const CodeFile* codeOf(const host::Host& host, int pid, const ProcessObject& object, Noted& file)
    {
        if (!file.code) {
            const auto places = symbols::DebugPlaces::ofProcess(host, static_cast<std::uint32_t>(pid), object.path);
            if (auto opened = CodeFile::open(object.file, places)) file.code = std::move(*opened);
        }
        return file.code.get();
    }

    static std::string functionOf(const host::Host& host, int pid, const ProcessObject& object, Noted& file, const ProbeNote& note)
    {
        const auto* code = codeOf(host, pid, object, file);
        const auto* function = code ? code->covering(note.address) : nullptr;
        if (!function) return {};
        // What the compiler put aside belongs to the function itself.
        return function->name.substr(0, function->name.find(".cold"));
    }

    Result<probe::Description> described(const host::Host& host, const Made& made) const
    {
        probe::Description out;
        const auto* code = codeOf(host, made.pid, made.object, *made.file);
        if (!code) return Error{0, "cannot read " + made.object.file};
        const auto bias = made.object.bias(code->elf());
        const symbols::SymbolAddress symbol = [&](std::string_view name) -> std::optional<std::uint64_t> {
            if (const auto at = code->symbolAddress(name)) return *at + bias;
            return {};
        };

        // Places differ in where their arguments are: the hook's value says which reading is meant.
        std::vector<std::string> readings;
        std::vector<std::vector<symbols::Operand>> operands;
        for (const auto* note : made.notes) {
            const auto offset = code->offsetOf(note->address);
            if (!offset) continue;
            const auto known = std::find(readings.begin(), readings.end(), note->arguments);
            const auto index = static_cast<std::size_t>(known - readings.begin());
            if (known == readings.end()) {
                readings.push_back(note->arguments);
                operands.push_back(symbols::operandsOf(note->arguments, symbol));
            }
            probe::Hook hook;
            const auto counter = note->semaphore ? code->offsetOf(note->semaphore) : std::nullopt;
            hook.at = probe::Uprobe{.file = made.object.file, .offset = *offset, .pid = made.pid, .counter = counter.value_or(0)};
            hook.value = index;
            out.hooks.push_back(std::move(hook));
        }

        std::size_t most = 0;
        for (const auto& reading : operands)
            most = std::max(most, reading.size());
        if (const auto* declared = declarationOf(made)) {
            for (const auto& [type, from] : declared->seen)
                if (from < most) out.args.push_back(argument(operands, from, typed(host, type)));
            return out;
        }
        for (std::size_t n = 0; n < most; ++n)
            out.args.push_back(argument(operands, n, {}));
        return out;
    }

    static const symbols::ProbeDeclaration* declarationOf(const Made& made)
    {
        if (made.notes.empty()) return nullptr;
        const auto& note = *made.notes.front();
        const auto& all = made.file->declarations;
        const auto at = std::find_if(
            all.begin(), all.end(), [&](const auto& each) { return each.provider == note.provider && each.name == dashed(note.name); });
        return at == all.end() ? nullptr : &*at;
    }

    /// The type as programs may use it: pointers lead into the process. Empty where nobody knows it.
    std::string typed(const host::Host& host, const std::string& declared) const
    {
        const auto end = std::min(declared.find_first_of("*["), declared.size());
        auto base = declared.substr(0, end);
        base.resize(base.find_last_not_of(' ') + 1);
        if (base.starts_with("const ")) base.erase(0, 6);
        if (!m_types) m_types = std::make_unique<types::TypeTable>(host);
        const bool points = declared.find('*') != declared.npos;
        if (declared.find('[') != declared.npos) return {};
        // The text is a file's, and becomes D: nothing may follow the type.
        const bool isType = declared.find_first_not_of("* ", end) == declared.npos;
        if (isType && (base == "void" ? points : base != "string" && base != "float" && base != "double" && m_types->find(base)))
            return points ? "userland " + declared : declared;
        return points ? "userland void *" : std::string();
    }

    /// `type`: what it was declared with; empty: as wide as it is passed.
    static probe::Arg argument(const std::vector<std::vector<symbols::Operand>>& readings, std::size_t n, const std::string& type)
    {
        probe::Arg arg;
        const symbols::Operand* widest = nullptr;
        for (const auto& reading : readings)
            if (n < reading.size() && (!widest || reading[n].size > widest->size)) widest = &reading[n];
        if (!type.empty())
            arg.native = type;
        else
            arg.native = (widest->isSigned ? "int" : "uint") + std::to_string(8 * widest->size) + "_t";
        const auto valueIn = [&](std::size_t i) {
            const auto& reading = readings[i];
            return n < reading.size() && !reading[n].value.empty() ? "(" + arg.native + ")(" + reading[n].value + ")"
                                                                   : "(" + arg.native + ")0";
        };
        for (std::size_t i = 0; i + 1 < readings.size(); ++i)
            arg.value += "raw[" + std::to_string(probe::kHookValue) + "] == " + std::to_string(i) + " ? " + valueIn(i) + " : ";
        arg.value += valueIn(readings.size() - 1);
        return arg;
    }

    mutable std::unique_ptr<types::TypeTable> m_types;
    mutable std::map<std::pair<std::string, std::uint64_t>, std::shared_ptr<Noted>> m_files;
    mutable std::unordered_map<std::string, Made> m_made;
};
} // namespace
std::unique_ptr<probe::Provider> make_usdt() { return std::make_unique<Usdt>(); }
} // namespace dscope::providers
