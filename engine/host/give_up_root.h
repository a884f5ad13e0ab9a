#pragma once
#include "engine/base/asker.h"
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/host/event_opener.h"
#include <memory>
#include <string>
#include <vector>
namespace dscope::host {
/// What only root can open, opened before it is given up. Passed to local().
struct Kept {
    struct File {
        std::string path;
        Fd fd;
    };
    std::unique_ptr<EventOpener> events;
    std::vector<File> written; ///< files of tracefs that are written to, where there are any
    Fd tracefs;                ///< mounted for us alone, where it is mounted nowhere
};
/// This process, root until now, becomes `user` for good. Of root's rights it keeps the capabilities that tracing takes: loading programs,
/// reading the kernel's memory, everybody's processes and files, and letting go on whom a program stopped. What it starts keeps none.
/// To be called while it has one thread. Error: the rights could not be given up, and nothing more should be done with them.
Result<std::shared_ptr<const Kept>> giveUpRoot(const User& user);
} // namespace dscope::host
