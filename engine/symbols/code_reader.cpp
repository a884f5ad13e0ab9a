#include "engine/symbols/code_reader.h"
#include "engine/base/bytes.h"
#include <Zydis/Zydis.h>
#include <algorithm>
#include <array>
#include <cstdio>
#include <elf.h>
#include <mutex>
namespace dscope::symbols {
namespace {
bool isOfAmd64(const ElfFile& file)
{
    const auto head = file.bytes(offsetof(Elf64_Ehdr, e_machine), sizeof(Elf64_Half));
    return head.size() == sizeof(Elf64_Half) && readAt<std::uint16_t>(head, 0) == EM_X86_64;
}

/// Where a relative jump or call leads.
std::optional<std::uint64_t> targetOfJump(
    const ZydisDecodedInstruction& insn, std::span<const ZydisDecodedOperand> operands, std::uint64_t at)
{
    for (const auto& operand : operands) {
        ZyanU64 to = 0;
        if (operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operand.imm.is_relative
            && ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&insn, &operand, at, &to)))
            return to;
    }
    return {};
}
} // namespace

CodeReader::CodeReader(std::string folders) : m_folders(std::move(folders)) { }
CodeReader::~CodeReader() = default;

Result<CodeReader::Known*> CodeReader::open(const record::CodeFile& code)
{
    if (code.path.empty()) return Error{0, "the recording does not tell which file the code is of"};
    if (code.buildId.empty()) return Error{0, code.path + " has no build id, by which it could be told from another file of that name"};
    if (const auto known = m_files.find(code.buildId); known != m_files.end()) return &known->second;
    auto file = ElfFile::open(openToRead(code.path)), again = ElfFile::open(openToRead(code.path));
    if (!file || !again) return Error{0, code.path + " is not here"};
    if (file->buildId() != code.buildId || again->buildId() != code.buildId)
        return Error{0, code.path + " is another file than the one that was traced"};
    if (!isOfAmd64(*file)) return Error{0, code.path + " is of another processor: only code of amd64 is disassembled"};
    const auto name = code.path.substr(code.path.rfind('/') + 1);
    auto module = std::make_unique<Module>(*std::move(again), name, DebugPlaces{m_folders, code.path, {}});
    if (!m_lines)
        if (auto lines = SourceLines::start()) m_lines = *std::move(lines); // else without lines: libdw is not here
    if (m_lines) module->tellLines(m_lines);
    return &m_files.emplace(code.buildId, Known{*std::move(file), std::move(module)}).first->second;
}

Result<record::CodeText> CodeReader::operator()(const record::CodeFile& code, std::uint64_t address)
{
    DSCOPE_TRY(auto* const known, open(code));
    auto* const module = known->module.get();
    record::CodeText out;
    if (const auto symbol = module->symbolAt(address); symbol && symbol->size != 0) {
        out.begin = symbol->start;
        out.end = symbol->start + symbol->size;
    } else if (const auto entry = module->frames().around(address).function(address)) {
        out.begin = entry->start;
        out.end = entry->start + entry->size;
    }

    const auto offset = known->file.offsetOf(out.begin);
    if (out.begin >= out.end || !offset) return Error{0, code.path + " does not tell where the function begins and ends"};
    if (out.end - out.begin > kMost) return Error{0, "the function has more than 4 MiB of code"};
    const auto bytes = known->file.bytes(*offset, out.end - out.begin);
    if (bytes.size() != out.end - out.begin) return Error{0, code.path + " ends before the function does"};

    ZydisDecoder decoder;
    ZydisFormatter formatter;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_ATT);
    ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, 0);
    ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_IMM_PADDING, ZYDIS_PADDING_DISABLED);
    for (std::size_t at = 0; at < bytes.size();) {
        record::CodeInstruction one;
        one.address = out.begin + at;
        one.length = 1;
        one.text = "(bad)";
        ZydisDecodedInstruction insn;
        std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
        if (ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes.data() + at, bytes.size() - at, &insn, operands.data()))) {
            one.length = insn.length;
            std::array<char, 256> text{};
            if (ZYAN_SUCCESS(ZydisFormatterFormatInstruction(
                    &formatter, &insn, operands.data(), insn.operand_count_visible, text.data(), text.size(), one.address, nullptr)))
                one.text = text.data();
            one.target = targetOfJump(insn, std::span(operands).first(insn.operand_count_visible), one.address);
            if (one.target && (*one.target < out.begin || *one.target >= out.end)) {
                const auto& named = module->named(*one.target);
                one.callee = named.function;
                if (!named.function.empty() && named.offset != 0) {
                    std::array<char, 24> more{};
                    std::snprintf(more.data(), more.size(), "+0x%llx", static_cast<unsigned long long>(named.offset));
                    one.callee += more.data();
                }
            }
        }
        if (const auto& places = module->named(one.address).places; !places.empty()) {
            one.file = places.front().file;
            one.line = places.front().line;
        }
        at += one.length;
        out.instructions.push_back(std::move(one));
    }
    return out;
}

record::ReadCode codeReader(std::string folders)
{
    struct Shared {
        explicit Shared(std::string f) : reader(std::move(f)) { }
        std::mutex mutex;
        CodeReader reader;
    };
    return [shared = std::make_shared<Shared>(std::move(folders))](const record::CodeFile& file, std::uint64_t address) {
        const std::lock_guard lock(shared->mutex);
        return shared->reader(file, address);
    };
}
} // namespace dscope::symbols
