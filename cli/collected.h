#pragma once
#include "cli/arguments.h"
#include "engine/record/record.h"
namespace dscope::cli {
/// The runs of Arguments::collect as one, when all that is expected or known has ended, or a signal asks for what is there. Meanwhile
/// draws figures again as hosts send. What the figures must say of it is added to Arguments::layout. False: see readRecording().
Result<bool> readCollected(Arguments& arguments, const record::Source::Deliver& deliver);
} // namespace dscope::cli
