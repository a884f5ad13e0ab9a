#pragma once
#include "cli/arguments.h"
#include "engine/base/result.h"
#include <string>
#include <vector>
namespace dscope::cli {
/// The agent of --on: what sshd runs in the place of the command that was asked for (SSH_ORIGINAL_COMMAND). It runs programs that are files
/// of the administrator's folder, to the letter, or signed by whom its file allowed_signers names, and no option that could do more. The
/// exit status.
int serve(const Arguments& arguments);
/// The words for dscope that `command`, which somebody sent, may have: `folder` holds the programs, `costLimit` is the most that a run may cost.
/// Error: what is not allowed.
Result<std::vector<std::string>> allowedWords(const std::string& command, const std::string& folder, const std::string& costLimit);
} // namespace dscope::cli
