#pragma once
#include "engine/base/result.h"
#include "engine/object/abilities.h"
#include <string_view>
namespace dscope::session {
/// An Error for a system call that failed with `code`: what we were doing, why it did not work, and the way out where
/// there is one. EPERM without the rights names the rights that are needed.
Error refusal(std::string_view doing, int code);
/// The Error for an ability that this kernel lacks or forbids: which D features need it, and which kernel brought it.
Error lacking(object::Ability ability);
} // namespace dscope::session
