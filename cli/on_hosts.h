#pragma once
#include "cli/arguments.h"
#include "engine/record/record.h"
#include <functional>
#include <string_view>
namespace dscope::cli {
/// Runs the program on each host of Arguments::on by ssh and gives their runs as one, when all have ended; a signal asks them to. Meanwhile
/// draws figures again. `deliver` and `keep`: the one run; `keep` has of it what was printed as it came. `print`: what programs print
/// meanwhile, a host's name before each line; false: nothing can be written any more, and the runs end. False: see readRecording(). Error:
/// there is no run. `failed` becomes true when one of the hosts gives no whole run, which is told.
Result<bool> readHosts(Arguments& arguments, const record::Source::Deliver& deliver, const record::Source::Deliver& keep,
    const std::function<bool(std::string_view)>& print, bool& failed);
} // namespace dscope::cli
