#pragma once
#include "cli/arguments.h"
#include "engine/record/record.h"
namespace dscope::cli {
/// The runs of Arguments::collect as one, when all that is expected or known has ended, or a signal asks for what is there. Meanwhile
/// draws figures again as hosts send. What the figures must say of it is added to Arguments::layout. False: see readRecording(). `failed`
/// becomes true when something that hosts sent is missing; a message then says what.
Result<bool> readCollected(Arguments& arguments, const record::Source::Deliver& deliver, bool& failed);
/// The same for a front end, on the descriptor of --stream: again and again all that is known as a recording of its own, each in the place
/// of the one before, behind its length; what must be said of it stands in it as warnings. Ends when the front end closes its end, too. The
/// exit status.
int streamCollected(const Arguments& arguments);
} // namespace dscope::cli
