#include "engine/tracer/libraries.h"
#include "engine/base/input_file.h"
#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <sstream>
namespace dscope::tracer {
namespace {
struct Library {
    LibraryFile file;
    std::vector<std::string> needs; ///< libraries, by name
    bool missing = false;           ///< something that it needs
    enum class State : std::uint8_t { New, Underway, Done } state = State::New;
};
using IsThere = std::function<bool(const std::string&, const std::string&)>;

/// What `#pragma D depends_on KIND NAME` lines ask for.
void readNeeds(Library& library, const IsThere& isThere)
{
    std::istringstream text(library.file.text);
    for (std::string line; std::getline(text, line);) {
        std::istringstream words(line);
        std::string pragma, d, depends, kind, name;
        if (!(words >> pragma >> d >> depends >> kind >> name) || pragma != "#pragma" || d != "D" || depends != "depends_on") continue;
        if (kind == "library")
            library.needs.push_back(name);
        else if (!isThere(kind, name))
            library.missing = true;
    }
}
Result<std::map<std::string, Library>> read(const std::string& directories, const IsThere& isThere)
{
    std::map<std::string, Library> all;
    std::istringstream lines(directories);
    for (std::string directory; std::getline(lines, directory);) {
        std::error_code error;
        for (std::filesystem::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
            const auto& entry = *at;
            if (entry.path().extension() != ".d") continue;
            const auto path = (std::filesystem::path(directory) / entry.path().filename()).string();
            std::error_code unknown;
            if (!entry.is_regular_file(unknown)) return Error{0, "failed to read D library " + path + ": it is no regular file"};
            DSCOPE_TRY(auto text, readWholeFile(path));
            Library library;
            library.file = {path, std::move(text)};
            readNeeds(library, isThere);
            all.try_emplace(entry.path().filename().string(), std::move(library));
        }
        // dtrace passes over directories that are not there.
        if (error && error != std::errc::no_such_file_or_directory)
            return Error{error.value(), "failed to read D libraries of " + directory + ": " + error.message()};
    }
    return all;
}
Result<> append(std::map<std::string, Library>& all, const std::string& name, std::vector<LibraryFile>& ordered)
{
    auto& library = all.at(name);
    if (library.state == Library::State::Done) return {};
    if (library.state == Library::State::Underway) return Error{0, "D library " + library.file.path + " depends on itself"};
    library.state = Library::State::Underway;
    for (const auto& need : library.needs) {
        const auto found = all.find(need);
        if (found == all.end()) return Error{0, "D library " + library.file.path + " depends on " + need + ", which does not exist"};
        DSCOPE_CHECK(append(all, need, ordered));
        library.missing |= found->second.missing;
    }
    library.state = Library::State::Done;
    if (!library.missing) ordered.push_back(library.file);
    return {};
}
} // namespace

Result<std::vector<LibraryFile>> userLibraries(const options::Options& options, const IsThere& isThere)
{
    DSCOPE_TRY(auto all, read(options.text("libdir"), isThere));
    std::vector<LibraryFile> ordered;
    for (const auto& [name, library] : all)
        DSCOPE_CHECK(append(all, name, ordered));
    return ordered;
}
} // namespace dscope::tracer
