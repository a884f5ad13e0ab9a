#pragma once
#include "engine/record/code_text.h"
#include "engine/symbols/module.h"
#include <map>
#include <memory>
#include <string>
namespace dscope::symbols {
/// Disassembles functions of files that recorded frames lie in, where the files are here: by Zydis, code of amd64. Files stay open. Not for
/// several threads at once.
class CodeReader {
public:
    /// `folders`: as DebugPlaces has them.
    explicit CodeReader(std::string folders = kDebugFolder);
    ~CodeReader();
    CodeReader(const CodeReader&) = delete;
    CodeReader& operator=(const CodeReader&) = delete;
    /// The function around a linked address: from its symbol, or else from the unwind entry around it. At most kMost bytes. Error if the file
    /// is not here, is another one now, has no build id, is of another processor, or has no function there.
    Result<record::CodeText> operator()(const record::CodeFile& code, std::uint64_t address);
    static constexpr std::uint64_t kMost = std::uint64_t{4} << 20; ///< bytes of code

private:
    struct Known {
        ElfFile file; ///< for its code: the module closes its own when it has read what it needs
        std::unique_ptr<Module> module;
    };
    Result<Known*> open(const record::CodeFile& code);
    std::string m_folders;
    std::shared_ptr<SourceLines> m_lines;     ///< null: libdw is missing
    std::map<std::string, Known> m_files;     ///< by build id
};
/// What views of machine code read files by (graph::Store::readCodeBy): a CodeReader of its own, for several threads, one after the other.
record::ReadCode codeReader(std::string folders = kDebugFolder);
} // namespace dscope::symbols
