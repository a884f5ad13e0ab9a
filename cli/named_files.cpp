#include "cli/named_files.h"
#include "cli/inputs.h"
#include "engine/base/place.h"
#include <algorithm>
#include <unistd.h>
namespace dscope::cli {
namespace {
/// Which file it is; of one that is not there yet, which name in which folder.
struct Identity {
    dev_t device = 0;
    ino_t inode = 0;
    std::string name;
    bool operator==(const Identity&) const = default;
};
struct FileUse {
    std::string option, path;
    bool writes = false;
    Identity file;
};
/// The uses of regular files: what is written to a device, a pipe or a terminal destroys nothing.
class FileUses {
public:
    void reads(const std::string& option, const std::string& path)
    {
        struct stat info { };
        const bool isThere = path == "-" ? ::fstat(STDIN_FILENO, &info) == 0 : ::stat(path.c_str(), &info) == 0;
        if (isThere) add({option, path == "-" ? "standard input" : path, false, {}}, info);
    }

    void writes(const std::string& option, const std::string& path)
    {
        const auto place = Place::of(path);
        if (!place) return; // told by who opens it
        const auto there = place->there();
        if (!there) return;
        const FileUse use{option, path, true, {}};
        if (*there) return add(use, **there);
        struct stat folder { };
        if (::fstat(place->folder.get(), &folder) != 0) return;
        m_all.push_back(use);
        m_all.back().file = {folder.st_dev, folder.st_ino, place->name};
    }

    void writesDescriptor(const char* what, int descriptor)
    {
        struct stat info { };
        if (::fstat(descriptor, &info) == 0) add({{}, what, true, {}}, info);
    }

    Result<> check() const
    {
        for (auto use = m_all.begin(); use != m_all.end(); ++use) {
            const auto other
                = std::find_if(m_all.begin(), use, [&](const FileUse& o) { return o.file == use->file && (o.writes || use->writes); });
            if (other != use) return clash(*other, *use);
        }
        return {};
    }

private:
    void add(FileUse use, const struct stat& info)
    {
        if (!S_ISREG(info.st_mode)) return;
        use.file = {info.st_dev, info.st_ino, {}};
        m_all.push_back(std::move(use));
    }

    static Error clash(const FileUse& a, const FileUse& b)
    {
        const auto words = [](const FileUse& use) { return use.option.empty() ? use.path : use.option + ' ' + use.path; };
        return Error{0,
            words(a) + " and " + words(b) + " are one file, which would be "
                + (a.writes && b.writes ? "written twice" : "overwritten while it is read") + ": name another"};
    }

    std::vector<FileUse> m_all;
};
} // namespace

Result<> checkNamedFiles(const Arguments& a)
{
    FileUses uses;
    for (const auto& program : a.programs)
        if (!program.script.empty()) uses.reads("-s", program.script);
    if (!a.replay.empty()) uses.reads("--replay", a.replay);
    if (!a.import.empty()) uses.reads(a.again ? "--again" : "--import", foreignFile(a.import));
    for (const auto& other : a.others)
        uses.reads(other.isRecording ? "--replay" : "--import", other.isRecording ? other.file : foreignFile(other.file));
    for (std::size_t i = 1; i < a.merged.size(); ++i)
        uses.reads(
            a.merged[i].isRecording ? "--replay" : "--import", a.merged[i].isRecording ? a.merged[i].file : foreignFile(a.merged[i].file));
    for (const auto& file : a.diff)
        uses.reads("--diff", foreignFile(file));
    if (!a.notes.empty()) uses.reads("--notes", a.notes);
    if (!a.coloursFile.empty()) uses.reads("--palette", a.coloursFile);

    const bool isLive = a.replay.empty() && a.import.empty();
    if (a.output.empty() && (isLive || printsText(a))) uses.writesDescriptor("standard output", STDOUT_FILENO);
    if (!a.output.empty()) uses.writes("-o", a.output);
    if (!a.record.empty()) uses.writes("--record", a.record);
    for (const auto& e : a.exports)
        for (std::size_t run = 1; run <= a.others.size() + 1; ++run)
            uses.writes("--export", fileOfRun(e.file, run));
    for (const auto& file : a.reports)
        uses.writes("--report", file);
    if (!a.budgetReport.empty()) uses.writes("--budget-report", a.budgetReport);
    return uses.check();
}
} // namespace dscope::cli
