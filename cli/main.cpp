#include "cli/arguments.h"
#include "cli/collected.h"
#include "cli/doctor.h"
#include "cli/figures.h"
#include "cli/named_files.h"
#include "cli/options_text.h"
#include "cli/run.h"
#include "cli/serve.h"
#include "engine/base/standard_descriptors.h"
#include <cstdio>
#include <malloc.h>
using namespace dscope;
int main(int argc, char** argv)
{
    occupyStandardDescriptors();
    // Gives the memory of the kernel's types and symbols back to the system when they are freed. By default malloc raises the
    // threshold once it has seen a large block freed, and keeps blocks of that size. Source: mallopt(3), M_MMAP_THRESHOLD.
    ::mallopt(M_MMAP_THRESHOLD, 512 * 1024);
    // What is freed at the end of the heap stays ours up to here: a deep stack of 200 KiB that comes and goes would be given back and
    // taken anew each time.
    ::mallopt(M_TRIM_THRESHOLD, 4 * 1024 * 1024);
    const auto parsed = cli::parseArguments(argc, argv);
    if (const auto* bad = std::get_if<cli::BadArguments>(&parsed)) {
        if (bad->message.empty())
            std::fputs(cli::usage().c_str(), stderr);
        else
            std::fprintf(stderr, "dtrace: %s%s\n", bad->message.c_str(), bad->usage ? " (dscope --help lists the options)" : "");
        return bad->usage ? 2 : 1;
    }

    const auto& a = std::get<cli::Arguments>(parsed);
    if (const auto fine = cli::checkNamedFiles(a); !fine) {
        std::fprintf(stderr, "dtrace: %s\n", fine.error().message.c_str());
        return 1;
    }

    for (const auto& remark : a.remarks)
        std::fprintf(stderr, "dtrace: %s\n", remark.c_str());
    for (const auto& warning : a.palette.warnings())
        std::fprintf(stderr, "dtrace: --palette: %s\n", warning.c_str());
    switch (a.mode) {
    case cli::Arguments::Mode::Usage: std::fputs(cli::usage().c_str(), stdout); return 0;
    case cli::Arguments::Mode::Options: std::fputs(cli::optionsText().c_str(), stdout); return 0;
    case cli::Arguments::Mode::Version: std::printf("dtrace: dscope " DSCOPE_VERSION ", D 2.0\n"); return 0;
    case cli::Arguments::Mode::Doctor: return cli::doctor(a.json);
    case cli::Arguments::Mode::Header: return cli::header(a);
    case cli::Arguments::Mode::Link: return cli::link(a);
    case cli::Arguments::Mode::List: return cli::list(a);
    case cli::Arguments::Mode::Serve: return cli::serve(a);
    case cli::Arguments::Mode::Run: break;
    }

    if (a.listViews && a.programs.empty() && a.replay.empty() && a.import.empty()) {
        std::fputs(cli::allViews().c_str(), stdout);
        return 0;
    }
    if (a.collect && a.stream >= 0) return cli::streamCollected(a);
    if (!a.import.empty() && !a.by) return cli::importText(a);
    return a.replay.empty() && !a.by ? cli::run(a) : cli::replay(a);
}
