#include "engine/symbols/code_rules.h"
#include "engine/symbols/code_flow.h"
#include <algorithm>
#include <elf.h>
namespace dscope::symbols {
#if defined(__x86_64__)
namespace {
constexpr std::uint64_t kMostCode = 3 << 20; // bytes; takes about a second, and 200 MB while it lasts

/// The code of a file.
class Segments {
public:
    explicit Segments(const ElfFile& file)
    {
        for (const auto& s : file.segments())
            if (s.executable) m_all.push_back({s.address, file.bytes(s.offset, s.fileSize)});
    }
    ByteView from(std::uint64_t address) const
    {
        for (const auto& [start, code] : m_all)
            if (address >= start && address - start < code.size()) return ByteView(code).subspan(address - start);
        return {};
    }

private:
    struct Segment {
        std::uint64_t start;
        Bytes code;
    };
    std::vector<Segment> m_all;
};

template <typename Row, typename Each> void eachRow(const ElfFile& file, std::uint32_t type, const Each& each)
{
    for (const auto& section : file.sections()) {
        if (section.type != type) continue;
        const auto rows = file.contents(section);
        for (std::size_t at = 0; at + sizeof(Row) <= rows.size(); at += sizeof(Row))
            each(readAt<Row>(rows, at));
    }
}

/// Writes entries of .debug_frame. Source: DWARF 4, 6.4.1 and 7.23.
class Entries {
public:
    Entries()
    {
        const auto start = beginEntry(0xffffffff);
        bytes({kVersion, 0, 1, kDataFactor, kReturnAddress}); // no augmentation, code factor 1
        defineCfa(kRsp, 8);
        bytes({kOffset | kReturnAddress, 1});
        endEntry(start);
    }
    enum class Caller : std::uint8_t { One, None };
    void begin(std::uint64_t address, Caller caller)
    {
        m_start = beginEntry(0);
        m_length = m_bytes.size() + sizeof address;
        m_from = m_at = address;
        append(address);
        append(std::uint64_t{0});
        if (caller == Caller::None) bytes({kUndefined, kReturnAddress});
    }
    void end(std::uint64_t address)
    {
        const std::uint64_t length = address - m_from;
        std::memcpy(m_bytes.data() + m_length, &length, sizeof length);
        endEntry(m_start);
    }
    void row(std::uint64_t address, const FrameShape& shape)
    {
        if (address != m_at) {
            bytes({kAdvance4});
            append(static_cast<std::uint32_t>(address - m_at));
            m_at = address;
        }
        if (shape.sp)
            defineCfa(kRsp, *shape.sp);
        else
            defineCfa(kRbp, *shape.bp);
        for (std::size_t i = 0; i < FrameShape::kKept; ++i) {
            const auto saved = shape.saved[i];
            const auto reg = FrameShape::kDwarf[i];
            if (saved.where == FrameShape::Saved::Where::Register)
                bytes({kSameValue, reg});
            else if (saved.where == FrameShape::Saved::Where::Lost || saved.offset > 0 || saved.offset % 8 != 0)
                bytes({kUndefined, reg});
            else {
                bytes({static_cast<std::uint8_t>(kOffset | reg)});
                leb(static_cast<std::uint64_t>(-saved.offset / 8));
            }
        }
    }
    Bytes take() { return std::move(m_bytes); }

private:
    static constexpr std::uint8_t kVersion = 1, kDataFactor = 0x78 /* -8 */, kReturnAddress = 16, kRsp = 7, kRbp = 6;
    static constexpr std::uint8_t kAdvance4 = 0x04, kUndefined = 0x07, kSameValue = 0x08, kDefCfa = 0x0c, kOffset = 0x80;

    template <typename T> void append(T value)
    {
        const auto raw = std::as_bytes(std::span(&value, 1));
        m_bytes.insert(m_bytes.end(), raw.begin(), raw.end());
    }
    void bytes(std::initializer_list<std::uint8_t> all)
    {
        for (const auto byte : all)
            m_bytes.push_back(std::byte{byte});
    }
    void leb(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7U)
            m_bytes.push_back(static_cast<std::byte>(value | 0x80U));
        m_bytes.push_back(static_cast<std::byte>(value));
    }
    /// The CFA is the register less `place`, where that points.
    void defineCfa(std::uint8_t reg, std::int32_t place)
    {
        bytes({kDefCfa, reg});
        leb(static_cast<std::uint64_t>(place < 0 ? -place : place));
    }
    std::size_t beginEntry(std::uint32_t common)
    {
        const auto start = m_bytes.size();
        append(std::uint32_t{0});
        append(common);
        return start;
    }
    void endEntry(std::size_t start)
    {
        while ((m_bytes.size() - start) % 8 != 4)
            m_bytes.push_back(std::byte{0});
        const auto length = static_cast<std::uint32_t>(m_bytes.size() - start - sizeof(std::uint32_t));
        std::memcpy(m_bytes.data() + start, &length, sizeof length);
    }

    Bytes m_bytes;
    std::size_t m_start = 0, m_length = 0;
    std::uint64_t m_from = 0, m_at = 0;
};

bool isTold(const CodeFlow::Place& place)
{
    if (!place.isTrue || place.length == 0) return false;
    return place.shape.sp ? *place.shape.sp < 0 : place.shape.bp && *place.shape.bp < 0;
}

/// `entry`: the program's, which nothing calls.
Bytes written(CodeFlow& flow, std::span<const CodeRange> trampolines, std::uint64_t entry)
{
    const auto isLeftOut = [&](std::uint64_t address, const CodeFlow::Place& place) {
        return std::any_of(trampolines.begin(), trampolines.end(),
            [&](const CodeRange& one) { return address <= one.end && one.start - 1 < address + place.length; });
    };
    Entries entries;
    const FrameShape* last = nullptr;
    std::uint64_t end = 0;
    const auto places = flow.places();
    for (const auto& [address, place] : places) {
        const bool goesOn = last && address == end && !flow.functions().contains(address);
        if (last && (!goesOn || !isTold(place) || isLeftOut(address, place))) {
            entries.end(end);
            last = nullptr;
        }
        if (!isTold(place) || isLeftOut(address, place)) continue;
        if (!last) entries.begin(address, address == entry ? Entries::Caller::None : Entries::Caller::One);
        if (!last || *last != place.shape) entries.row(address, place.shape);
        last = &place.shape;
        end = address + place.length;
    }
    if (last) entries.end(end);
    return entries.take();
}
} // namespace

Bytes codeRules(const ElfFile& file, std::span<const CodeRange> trampolines)
{
    std::uint64_t size = 0;
    for (const auto& s : file.segments())
        size += s.executable ? s.fileSize : 0;
    if (size == 0 || size > kMostCode) return {};
    const Segments code(file);
    const auto isCode = [&](std::uint64_t address) { return !code.from(address).empty(); };

    CodeFlow flow([&](std::uint64_t address) { return code.from(address); });
    for (const auto& trampoline : trampolines)
        flow.leaveOut(trampoline.start);
    const auto addSymbol = [&](const Elf64_Sym& symbol) {
        const auto type = ELF64_ST_TYPE(symbol.st_info);
        if ((type == STT_FUNC || type == STT_GNU_IFUNC) && symbol.st_shndx != SHN_UNDEF && isCode(symbol.st_value))
            flow.addFunction(symbol.st_value);
    };
    if (isCode(file.entry())) flow.addFunction(file.entry());
    eachRow<Elf64_Sym>(file, SHT_DYNSYM, addSymbol);
    eachRow<Elf64_Sym>(file, SHT_SYMTAB, addSymbol);

    // What data points to, and what instructions take the address of, as long as that finds more code.
    std::set<std::uint64_t> pointers;
    eachRow<Elf64_Rela>(file, SHT_RELA, [&](const Elf64_Rela& one) {
        if (ELF64_R_TYPE(one.r_info) == R_X86_64_RELATIVE) pointers.insert(static_cast<std::uint64_t>(one.r_addend));
    });
    for (std::size_t before = 0; before != flow.functions().size();) {
        before = flow.functions().size();
        pointers.insert(flow.pointers().begin(), flow.pointers().end());
        for (const auto address : pointers)
            if (isCode(address)) flow.addPointedTo(address);
    }
    return written(flow, trampolines, file.entry());
}
#else
Bytes codeRules(const ElfFile&, std::span<const CodeRange>) { return {}; }
#endif
} // namespace dscope::symbols
