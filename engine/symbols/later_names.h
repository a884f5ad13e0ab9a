#pragma once
#include "engine/symbols/module.h"
#include <map>
#include <memory>
#include <string>
#include <vector>
namespace dscope::symbols {
/// Names the frames of recorded stacks by debug files that are found now: the file itself where it still is, or its separate debug
/// file, by build id. What a recording knows stays as it is.
class LaterNames {
public:
    /// `lines`, `servers`: null where they are not asked for. `folders`: as DebugPlaces has them.
    LaterNames(std::shared_ptr<SourceLines> lines, std::shared_ptr<Debuginfod> servers, std::string folders = kDebugFolder);
    /// Frames of inlined functions come in before the one that they became part of. May wait for a server.
    record::FrameList operator()(const record::FrameList& frames);
    /// Files of which neither lines nor names were found, by the name that their frames show.
    std::vector<std::string> unknown() const;

private:
    struct Known {
        std::unique_ptr<Module> module; ///< null: not found
        std::string name;
        bool opened = false; ///< a debug file was looked for
        bool told = false;   ///< one of its frames has a line or a name that debug information gave, now or when it was recorded
    };
    Known& known(const record::Frame& frame);
    std::unique_ptr<Module> open(const record::CodeFile& code, const std::string& name);
    std::shared_ptr<SourceLines> m_lines;
    std::shared_ptr<Debuginfod> m_servers;
    std::string m_folders;
    std::map<std::string, Known> m_files; ///< by build id
};
} // namespace dscope::symbols
