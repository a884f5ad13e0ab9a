#pragma once
#include "cli/arguments.h"
namespace dscope::cli {
/// Checks that no file is named twice where one use would destroy what the other needs: read and written, or written twice.
/// Files are compared by device and inode, so that links count. Error names the file and both uses.
Result<> checkNamedFiles(const Arguments& arguments);
} // namespace dscope::cli
