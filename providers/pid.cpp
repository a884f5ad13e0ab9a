#include "engine/demangle/demangle.h"
#include "engine/host/processor.h"
#include "engine/probe/pattern.h"
#include "engine/symbols/argument_types.h"
#include "engine/symbols/code_file.h"
#include "engine/symbols/line_places.h"
#include "engine/symbols/process_objects.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <map>
#include <unistd.h>
#include <unordered_map>
#include <unordered_set>
namespace dscope::providers {
namespace {
using host::kProcessor;
using probe::isGlob;
using symbols::CodeFile;
using symbols::ProcessObject;
constexpr std::size_t kArguments = 10;        ///< arg0 to arg9
constexpr std::size_t kMostOffsets = 200'000; ///< instruction probes of one description

bool isNumber(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == text.npos; }
std::string raw(int word) { return "raw[" + std::to_string(word) + "]"; }
std::string hex(std::uint64_t number)
{
    std::array<char, 17> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number, 16).ptr;
    return std::string(text.data(), end);
}
/// The number at the end of a provider part, empty when there is none.
std::string_view trailingDigits(std::string_view provider)
{
    const auto last = provider.find_last_not_of("0123456789");
    return last == provider.npos ? provider : provider.substr(last + 1);
}

/// One mapped file of a process, its functions read when first needed.
struct Object {
    int pid = 0;
    ProcessObject mapped;
    std::shared_ptr<CodeFile> code; ///< null: not an ELF file
};
using ObjectPtr = std::shared_ptr<Object>;
struct Made {
    ObjectPtr object;
    CodeFile::Function function;
    enum class Kind : std::uint8_t { Entry, Return, Offset, Address, Line } kind = Kind::Entry;
    std::uint64_t offset = 0;                  ///< Offset: in the function; Address: in the file
    std::vector<std::uint64_t> addresses = {}; ///< Line: as the file is linked
    bool isTyped = false;                      ///< asked for by its own name: args[] have the types that debug information tells
    struct Place {
        ObjectPtr object;
        CodeFile::Function function;
    };
    std::vector<Place> others = {}; ///< Entry, Return, Offset: further functions of the name, which are the same probe
    bool isAt(const ObjectPtr& where, const CodeFile::Function& what) const
    {
        const auto same = [&](const ObjectPtr& o, const CodeFile::Function& f) {
            return o->mapped.file == where->mapped.file && f.start == what.start;
        };
        return same(object, function)
            || std::any_of(others.begin(), others.end(), [&](const Place& p) { return same(p.object, p.function); });
    }
};

/// Functions of user processes: entry, return, and every instruction. Returns are probed at the instructions that return,
/// as the kernel's return probes break exceptions, longjmp and the like in the program that is traced.
class Pid final : public probe::Provider {
public:
    std::string_view name() const override { return "pid"; }
    std::string_view summary() const override
    {
        return "functions of one process (pid1234, pid$target): entry, return and every instruction; with debug information also lines of "
               "source, as in pid$target:a.out:mix.c:31, and args[] of a function that is named have its types";
    }
    std::string_view example() const override { return "pid$target::malloc:entry"; }

    probe::Stability stability() const override
    {
        using namespace probe;
        return {kEvolvingIsa, kPrivate, kPrivate, kEvolvingIsa, kPrivate};
    }
    bool serves(std::string_view provider) const override { return provider.starts_with("pid") && isNumber(provider.substr(3)); }

    bool mayServe(std::string_view glob) const override
    {
        const auto digits = trailingDigits(glob);
        return !digits.empty() && probe::matches(glob, "pid" + std::string(digits));
    }
    bool onDemand() const override { return true; }

    Result<> list(const host::Host& host, const probe::Pattern& wanted, const Found& found) const override
    {
        const auto digits = trailingDigits(wanted.provider);
        if (digits.empty()) return {};
        int pid = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), pid);
        if (error != std::errc{} || pid <= 0)
            return probe::mistake("D_PROC_BADPID", "'" + wanted.provider + "' does not contain a valid pid");
        if (pid == ::getpid()) return probe::mistake("D_PROC_DYN", "process " + std::to_string(pid) + " is dtrace itself");
        DSCOPE_TRY(const auto objects, objectsIn(host, pid));
        return Listing{*this, host, wanted, found, "pid" + std::to_string(pid)}.list(*objects);
    }

    Result<probe::Description> describe(const host::Host& host, const probe::Name& probe) const override
    {
        const auto at = m_made.find(probe.spelled());
        if (at == m_made.end()) return Error{0, "no probe " + probe.spelled()};
        const auto& made = at->second;
        auto described = withTypes(made, {});
        if (described && made.isTyped)
            described->typedArgs = [this, &host, &made] {
                auto typed = withTypes(made, m_types.of(host, made.object->pid, made.object->mapped, *made.object->code, made.function));
                return typed ? std::move(typed->args) : std::vector<probe::Arg>();
            };
        if (described && made.kind == Made::Kind::Entry)
            described->argNames = [this, &host, &made] {
                return m_types.names(host, made.object->pid, made.object->mapped, *made.object->code, made.function);
            };
        return described;
    }

    /// Functions of stripped files: Debian's programs, mostly.
    void unavailable(
        const host::Host& host, const probe::Pattern& wanted, const std::function<void(probe::Unavailable)>& found) const override
    {
        const auto digits = trailingDigits(wanted.provider);
        int pid = 0;
        if (wanted.function.empty() || wanted.function == "-" || !isNumber(digits)) return;
        if (std::from_chars(digits.data(), digits.data() + digits.size(), pid).ec != std::errc{}) return;
        const auto objects = objectsIn(host, pid);
        if (!objects) return;
        for (const auto& object : **objects) {
            const bool meant = isGlob(wanted.module) ? object->mapped.main : symbols::isModule(object->mapped, wanted.module);
            if (!meant || !object->code || object->code->namesAll() || namesAny(*object->code, wanted.function)) continue;
            found({{"pid" + std::to_string(pid), object->mapped.name, wanted.function, wanted.name},
                object->mapped.file
                    + " is stripped, only what it exports has a name; its debug symbols (package ...-dbgsym, or a file below "
                      "/usr/lib/debug/.build-id) name all functions, and a.out:-:ADDRESS needs none",
                {}});
        }
    }

private:
    static bool namesAny(const CodeFile& code, const std::string& function)
    {
        if (!isGlob(function)) return code.named(function) != nullptr;
        const auto& known = code.functions();
        return std::any_of(known.begin(), known.end(), [&](const auto& f) { return !matching(code, f, function).empty(); });
    }

    /// The name by which a description means a function: of several names for one place the best that it matches, so that it is one
    /// probe.
    static std::string matching(const CodeFile& code, const CodeFile::Function& function, const std::string& glob)
    {
        return std::string(code.nameOf(function, [&](std::string_view name) { return probe::matches(glob, name); }));
    }

    struct Listing {
        const Pid& provider;
        const host::Host& host;
        const probe::Pattern& wanted;
        const Found& found;
        std::string name;
        std::size_t offsets = 0;
        std::unordered_set<std::string> given = {}; ///< probes that were found

        Result<> list(const std::vector<ObjectPtr>& objects)
        {
            if (wanted.function == "-") return address(objects);
            for (const auto& object : objects)
                if (symbols::isModule(object->mapped, wanted.module)) DSCOPE_CHECK(module(object));
            return {};
        }

        /// Files of source have static functions of one name, and folders have files of one name: those are one probe.
        void add(const Made& made, const std::string& function, std::string probe)
        {
            probe::Name full{name, made.object->mapped.name, function, std::move(probe)};
            const auto [at, isNew] = provider.m_made.try_emplace(full.spelled(), made);
            auto& known = at->second;
            if (!isNew && known.kind == made.kind && !made.function.name.empty() && !known.isAt(made.object, made.function)) {
                known.others.push_back({made.object, made.function});
                known.isTyped = false; // the types of which of them?
            }
            if (given.insert(full.spelled()).second) found(std::move(full));
        }

        /// "-": the name is an address in the process.
        Result<> address(const std::vector<ObjectPtr>& objects)
        {
            const auto main = std::find_if(objects.begin(), objects.end(), [](const ObjectPtr& o) { return o->mapped.main; });
            if (!wanted.module.empty()
                && (isGlob(wanted.module) || main == objects.end() || !symbols::isModule((*main)->mapped, wanted.module)))
                return probe::mistake("D_PROC_LIB", "only the a.out module is valid with the '-' function");
            if (isGlob(wanted.name))
                return probe::mistake("D_PROC_NAME", "only individual addresses may be specified with the '-' function");
            DSCOPE_TRY(const auto number, numberOf(wanted.name));
            for (const auto& object : objects)
                for (const auto& range : object->mapped.ranges)
                    if (number >= range.start && number < range.end)
                        add({object, {}, Made::Kind::Address, number - range.start + range.offset}, "-", hex(number));
            return {};
        }

        static Result<std::uint64_t> numberOf(std::string_view text)
        {
            auto digits = text;
            if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
            std::uint64_t number = 0;
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
            if (error != std::errc{} || end != digits.data() + digits.size())
                return probe::mistake("D_PROC_NAME", "'" + std::string(text) + "' is an invalid probe name");
            return number;
        }

        Result<> module(const ObjectPtr& object)
        {
            if (!object->code) return {};
            if (!isGlob(wanted.function)) {
                auto named = object->code->allNamed(wanted.function);
                const bool anyOffset = !probe::matches(wanted.name, "return") && !probe::matches(wanted.name, "entry");
                if (anyOffset && named.size() > 1) named.resize(1);
                for (const auto* one : named)
                    DSCOPE_CHECK(function(object, provider.real(host, *object, *one), wanted.function));
                if (!named.empty()) return {};
                if (namesLine(wanted)) return line(object);
                for (const auto* one : shownAs(*object->code)) {
                    DSCOPE_CHECK(function(object, provider.real(host, *object, *one), one->name));
                    named.push_back(one);
                }
                if (!named.empty()) return {};
                if (!isGlob(wanted.module))
                    return probe::mistake("D_PROC_FUNC",
                        "failed to lookup '" + wanted.function + "' in module '" + wanted.module + "'" + whatBecameOf(*object->code));
                return {};
            }

            bool isNamed = false;
            std::vector<std::uint64_t> chosen; // what resolvers chose: several may choose the same
            for (const auto& known : object->code->functions()) {
                // Sizes of these two were often wrong: only by their names.
                if (known.name == "_init" || known.name == "_fini") continue;
                const auto meant = matching(*object->code, known, wanted.function);
                if (meant.empty()) continue;
                isNamed = true;
                const auto real = provider.real(host, *object, known);
                if (known.indirect) {
                    // Asked for by its own name too, or chosen by another resolver as well: once is enough.
                    const auto* own = real ? object->code->startingAt(real->start) : nullptr;
                    if (own && !matching(*object->code, *own, wanted.function).empty()) continue;
                    if (real && std::count(chosen.begin(), chosen.end(), real->start)) continue;
                    if (real) chosen.push_back(real->start);
                }
                DSCOPE_CHECK(function(object, real, meant));
            }
            if (!isNamed)
                for (const auto* one : shownAs(*object->code))
                    DSCOPE_CHECK(function(object, provider.real(host, *object, *one), one->name));
            return {};
        }

        /// Where no symbol is meant: the functions that stacks show by a name that is, as work::Box::weigh of C++. A colon divides
        /// descriptions, so that it is written as ? there, as are the other letters that patterns lack: work??Box??weigh.
        std::vector<const CodeFile::Function*> shownAs(const CodeFile& code) const
        {
            std::vector<std::string> parts(1); // names that symbols have as they are
            for (const char c : wanted.function) {
                if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')
                    parts.back() += c;
                else if (!parts.back().empty())
                    parts.emplace_back();
            }
            // Short ones, and words that mangled names spell otherwise.
            std::erase_if(parts, [](const std::string& part) {
                constexpr std::array<std::string_view, 8> kWords{
                    "operator", "anonymous", "namespace", "lambda", "std", "allocator", "string", "basic_string"};
                const auto isOf = [&](std::string_view word) { return word.find(part) != std::string_view::npos; };
                return part.size() < 2 || std::any_of(kWords.begin(), kWords.end(), isOf);
            });
            std::vector<const CodeFile::Function*> all;
            for (const auto& known : code.functions()) {
                const auto isIn = [&](const std::string& part) { return known.name.find(part) != std::string::npos; };
                // Copies take other arguments: .constprop, .isra, .part, .cold. What LLVM marks alone is the function.
                const auto dot = known.name.find('.', 1);
                const bool isCopy = dot != std::string::npos && known.name.compare(dot, 6, ".llvm.") != 0;
                if (isCopy || (!parts.empty() && std::none_of(parts.begin(), parts.end(), isIn))) continue;
                const auto shown = demangle::demangled(known.name);
                if (shown != known.name && probe::matches(wanted.function, shown)) all.push_back(&known);
            }
            return all;
        }

        /// The functions that have the name in the program's text only, if they are few: C++'s, which have their parameters in theirs,
        /// and copies that a compiler made in its place.
        std::string whatBecameOf(const CodeFile& code) const
        {
            constexpr std::size_t kMost = 3;
            std::vector<std::string> told;
            for (const auto& known : code.functions())
                if (const auto made = whatBecame(known.name); !made.empty()) told.push_back("'" + known.name + "' is " + made);
            if (told.empty() || told.size() > kMost) return {};
            std::string out = ": ";
            for (const auto& one : told)
                out += (&one == &told.front() ? "" : ", ") + one;
            return out;
        }
        /// "scaled(int, int), made for arguments that are constant"; empty if `symbol` is not of the wanted function.
        std::string whatBecame(const std::string& symbol) const
        {
            // Source: gcc/cgraphclones.cc, clone_function_name(); gcc/ipa-*.cc.
            static constexpr std::pair<std::string_view, std::string_view> kCopies[]{
                {"constprop", ", made for arguments that are constant"}, {"isra", ", which takes other arguments than were written"},
                {"part", ", without what of it is in its callers"}, {"cold", ", what of it is rarely run"},
                {"lto_priv", ", one of several of that name"}};
            if (symbol.find(wanted.function) == symbol.npos) return {};
            const auto dot = symbol.find('.', 1);
            const auto written = demangle::demangled(symbol.substr(0, dot), demangle::Signature::Kept);
            const auto bare = demangle::withoutSignature(written);
            const auto scope = bare.rfind("::");
            if (bare != wanted.function && (scope == std::string::npos || bare.substr(scope + 2) != wanted.function)) return {};
            if (dot == std::string::npos) return written == symbol ? std::string() : written;
            std::string out = written;
            for (const auto& [suffix, meaning] : kCopies)
                if (("." + symbol.substr(dot + 1) + ".").find("." + std::string(suffix) + ".") != std::string::npos)
                    return out.append(meaning);
            return out + ", as the compiler changed it";
        }

        /// A file of source and a number: "mix.c:31".
        static bool namesLine(const probe::Pattern& pattern)
        {
            return pattern.function.find('.') != std::string::npos && isNumber(pattern.name) && !pattern.name.starts_with('0');
        }

        Result<> line(const ObjectPtr& object)
        {
            std::uint32_t number = 0;
            const auto end = wanted.name.data() + wanted.name.size();
            if (std::from_chars(wanted.name.data(), end, number).ec != std::errc{})
                return probe::mistake("D_PROC_LINE", "'" + wanted.name + "' is not the number of a line");
            const auto places = symbols::DebugPlaces::ofProcess(host, static_cast<std::uint32_t>(object->pid), object->mapped.path);
            const auto code = symbols::placesOfLine(object->code->elf(), places, wanted.function, number);
            const bool isAsked = !isGlob(wanted.module);
            if (!code && !isAsked) return {};
            if (!code)
                return probe::mistake("D_PROC_LINE",
                    "failed to find line " + wanted.name + " of '" + wanted.function + "' in module '" + wanted.module
                        + "': " + code.error().message);
            if (!code->addresses.empty()) {
                add({object, {}, Made::Kind::Line, 0, code->addresses}, wanted.function, wanted.name);
                return {};
            }
            if (!isAsked) return {};
            if (!code->knowsFile)
                return probe::mistake("D_PROC_FUNC",
                    "failed to lookup '" + wanted.function + "' in module '" + wanted.module
                        + "': neither a function nor a file that code was made of has that name");
            return probe::mistake("D_PROC_LINE",
                "no code is made of line " + wanted.name + " of '" + wanted.function + "'"
                    + (code->next ? "; the next one with code is " + std::to_string(code->next) : ": the file has no code behind it"));
        }

        /// Where several functions are meant, args[] are words: their types would differ.
        /// `meant`: of the function's names, the one that the description means.
        Result<> function(const ObjectPtr& object, const std::optional<CodeFile::Function>& known, const std::string& meant)
        {
            if (!known) return {};
            auto f = *known;
            f.name = meant;
            const bool isTyped = !isGlob(wanted.function);
            const bool returns = probe::matches(wanted.name, "return"), enters = probe::matches(wanted.name, "entry");
            if (returns) add({object, f, Made::Kind::Return, 0, {}, isTyped}, f.name, "return");
            if (enters) add({object, f, Made::Kind::Entry, 0, {}, isTyped}, f.name, "entry");
            if (isGlob(wanted.name)) return instructions(object, f);
            if (returns || enters) return {};
            DSCOPE_TRY(const auto offset, numberOf(wanted.name));
            if (offset >= f.size) return probe::mistake("D_PROC_OFF", "offset 0x" + hex(offset) + " outside of function '" + f.name + "'");
            const auto walk = object->code->walk(f);
            if (std::none_of(
                    walk.instructions.begin(), walk.instructions.end(), [&](const auto& i) { return i.address == f.start + offset; }))
                return probe::mistake(
                    "D_PROC_ALIGN", "offset 0x" + hex(offset) + " in function '" + f.name + "' is not where an instruction begins");
            add({object, f, Made::Kind::Offset, offset}, f.name, hex(offset));
            return {};
        }

        Result<> instructions(const ObjectPtr& object, const CodeFile::Function& f)
        {
            // "e*" can only be an entry, or an offset that begins with e.
            for (const auto& instruction : object->code->walk(f).instructions) {
                if (!instruction.canProbe || !instruction.isSafe) continue;
                const auto offset = instruction.address - f.start;
                auto text = hex(offset);
                if (!probe::matches(wanted.name, text)) continue;
                if (++offsets > kMostOffsets)
                    return probe::mistake("D_PROC_CREATEFAIL",
                        "failed to create offset probes in '" + f.name + "': more than " + std::to_string(kMostOffsets)
                            + " instructions match; name fewer functions");
                add({object, f, Made::Kind::Offset, offset}, f.name, std::move(text));
            }
            return {};
        }
    };

    Result<const std::vector<ObjectPtr>*> objectsIn(const host::Host& host, int pid) const
    {
        // Read again for each description: libraries come and go.
        auto& known = m_processes[pid];
        const auto maps = host.read("/proc/" + std::to_string(pid) + "/maps");
        if (!maps)
            return probe::mistake(
                "D_PROC_GRAB", maps.error().code == ENOENT ? "failed to grab process " + std::to_string(pid) : maps.error().message);
        if (!known.objects.empty() && *maps == known.maps) return &known.objects;
        auto mapped = symbols::objectsOf(host, pid);
        if (!mapped) return probe::mistake("D_PROC_GRAB", "failed to grab process " + std::to_string(pid));
        std::vector<ObjectPtr> objects;
        for (auto& one : *mapped) {
            const auto key = std::pair(one.file, one.inode);
            auto& code = m_files[key];
            if (!code)
                if (auto opened
                    = CodeFile::open(one.file, symbols::DebugPlaces::ofProcess(host, static_cast<std::uint32_t>(pid), one.path)))
                    code = std::move(*opened);
            objects.push_back(std::make_shared<Object>(Object{pid, std::move(one), code}));
        }

        // The program first, as its functions are what is asked for most.
        std::stable_partition(objects.begin(), objects.end(), [](const ObjectPtr& o) { return o->mapped.main; });
        known = {*maps, std::move(objects)};
        return &known.objects;
    }

    /// The function itself, or what its resolver chose in this process; none where that is not known.
    std::optional<CodeFile::Function> real(const host::Host& host, const Object& object, const CodeFile::Function& function) const
    {
        if (!function.indirect) return function;
        auto start = bySlot(host, object, function);
        if (!start) start = asWithUs(object, function);
        if (!start) return {};
        auto chosen = function;
        chosen.indirect = false;
        chosen.start = *start;
        const auto size = object.code->sizeAt(*start);
        if (!size) return {};
        chosen.size = *size;
        return chosen;
    }

    /// The dynamic linker keeps what the resolver chose where the object's own calls find it.
    std::optional<std::uint64_t> bySlot(const host::Host& host, const Object& object, const CodeFile::Function& function) const
    {
        const auto memory = host.open("/proc/" + std::to_string(object.pid) + "/mem", O_RDONLY);
        if (!memory) return {};
        std::optional<std::uint64_t> found;
        const auto bias = object.mapped.bias(object.code->elf());
        for (const auto& [slot, resolver] : object.code->indirectSlots()) {
            std::uint64_t value = 0;
            if (resolver != function.start) continue;
            if (::pread(memory.get(), &value, sizeof value, static_cast<off_t>(slot + bias)) != sizeof value) continue;
            if (object.code->sizeAt(value - bias)) found = value - bias;
        }
        return found;
    }

    /// The same file in our own process on the same CPU: our resolver chose alike.
    std::optional<std::uint64_t> asWithUs(const Object& object, const CodeFile::Function& function) const
    {
        void* const ours = ::dlsym(RTLD_DEFAULT, function.name.c_str());
        Dl_info info{};
        if (!ours || !::dladdr(ours, &info) || !info.dli_fname) return {};
        const auto file = CodeFile::open(info.dli_fname, {});
        if (!file || (*file)->elf().buildId().empty() || (*file)->elf().buildId() != object.code->elf().buildId()) return {};
        const auto base = reinterpret_cast<std::uint64_t>(info.dli_fbase);
        return reinterpret_cast<std::uint64_t>(ours) - base + (object.code->elf().segments().front().address & ~std::uint64_t{0xfff});
    }

    static bool canProbe(CodeFile& code, std::uint64_t address)
    {
        const auto* function = code.covering(address);
        if (!function) return true;
        const auto walk = code.walk(*function);
        const auto at
            = std::find_if(walk.instructions.begin(), walk.instructions.end(), [&](const auto& i) { return i.address == address; });
        return at == walk.instructions.end() || at->canProbe;
    }

    /// The n-th word that a function takes if all that it takes are words.
    static std::string word(std::size_t n)
    {
        const auto registers = static_cast<std::size_t>(kProcessor.registers);
        return n < registers ? raw(kProcessor.functionArguments[n] / 8) : atStack(8 * (n - registers));
    }
    static std::string stackAddress(std::size_t behind)
    {
        return '(' + raw(kProcessor.stack / 8) + " + " + std::to_string(static_cast<std::size_t>(kProcessor.onStack) + behind) + ')';
    }
    static std::string atStack(std::size_t behind) { return "*(userland uint64_t *)" + stackAddress(behind); }

    /// `n`: the word that argN is, of those that whole numbers come in. For a result it is 0, the register of results.
    static void give(probe::Arg& into, const symbols::ArgumentType& type, std::size_t n)
    {
        using In = symbols::ArgumentPlace::In;
        const auto& place = type.place;
        into.native = type.type;
        into.whole = true;
        if (!type.why.empty()) {
            into.elsewhere = {.value = {}, .isObject = false, .why = type.why, .hint = type.hint};
        } else if (place.in == In::Register && place.number == n) {
            if (type.isObject) into.elsewhere = {.value = into.value, .isObject = true};
        } else if (place.in == In::Register) {
            into.elsewhere = {.value = word(place.number), .isObject = type.isObject};
        } else {
            const bool isThere = type.isObject && !place.isAddress;
            into.elsewhere = {.value = isThere ? stackAddress(place.number) : atStack(place.number), .isObject = type.isObject};
        }
    }

    static void hook(const Made& made, const Made::Place& at, probe::Description& out)
    {
        auto& code = *at.object->code;
        const auto& f = at.function;
        const auto add = [&](std::uint64_t fileOffset, std::uint64_t value, bool canProbe) {
            probe::Hook one;
            one.at = probe::Uprobe{.file = at.object->mapped.file, .offset = fileOffset, .pid = at.object->pid, .canProbe = canProbe};
            one.value = value;
            out.hooks.push_back(std::move(one));
        };

        switch (made.kind) {
        case Made::Kind::Entry: add(code.offsetOf(f.start).value_or(0), 0, code.canProbeStart(f)); break;
        case Made::Kind::Return:
            for (const auto& exit : code.walk(f).exits)
                if (const auto offset = code.offsetOf(exit.address)) add(*offset, exit.address - f.start, exit.canProbe);
            break;
        case Made::Kind::Offset: add(code.offsetOf(f.start + made.offset).value_or(0), 0, true); break;
        case Made::Kind::Address: add(made.offset, 0, true); break;
        case Made::Kind::Line:
            for (const auto address : made.addresses)
                if (const auto offset = code.offsetOf(address)) add(*offset, 0, canProbe(code, address));
            break;
        }
    }

    static Result<probe::Description> withTypes(const Made& made, const symbols::ArgumentTypes& types)
    {
        probe::Description out;
        hook(made, {made.object, made.function}, out);
        for (const auto& other : made.others)
            hook(made, other, out);
        switch (made.kind) {
        case Made::Kind::Entry:
            for (std::size_t n = 0; n < kArguments; ++n) {
                out.args.push_back({word(n), "uint64_t", {}});
                if (n < types.arguments.size()) give(out.args.back(), types.arguments[n], n);
            }
            break;
        case Made::Kind::Return:
            out.args = {{raw(probe::kHookValue), "uint64_t", {}}, {raw(kProcessor.value / 8), "uint64_t", {}}};
            if (types.result) give(out.args.back(), *types.result, 0);
            break;
        default: break;
        }
        return out;
    }

    struct Process {
        std::string maps; ///< the text of /proc/PID/maps that the objects were found in
        std::vector<ObjectPtr> objects;
    };
    mutable symbols::FunctionTypes m_types;
    mutable std::map<int, Process> m_processes;
    mutable std::map<std::pair<std::string, std::uint64_t>, std::shared_ptr<CodeFile>> m_files;
    mutable std::unordered_map<std::string, Made> m_made;
};
} // namespace
std::unique_ptr<probe::Provider> make_pid() { return std::make_unique<Pid>(); }
} // namespace dscope::providers
