#pragma once
#include "engine/base/result.h"
#include <string>
namespace dscope::cli {
/// Which of the signers, a file as ssh-keygen's "allowed signers" are, has signed the program for dscope: the principal's name. ssh-keygen
/// itself checks that, and until when keys are valid. Error: why nobody has, or that it is not here.
Result<std::string> signerOf(const std::string& program, const std::string& signature, const std::string& signers);
} // namespace dscope::cli
