#pragma once
#include "cli/arguments.h"
#include "engine/host/give_up_root.h"
namespace dscope::cli {
/// A front end's helper that runs as root for another user becomes that user here, before it reads anything but the program's text. Null
/// where there is nothing to give up: not root, no front end, or root itself asked. Error: it could not.
Result<std::shared_ptr<const host::Kept>> becomeOrdinary(const Arguments& arguments);
} // namespace dscope::cli
