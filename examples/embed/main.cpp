// Traces which system calls a command makes and draws them: the engine and the figures of dscope in a program of one's own.
#include "engine/tracer/tracer.h"
#include "exporters/exporter.h"
#include "graph/store.h"
#include <fstream>
#include <iostream>
using namespace dscope;

int main(int argc, char** argv)
{
    if (argc != 3) {
        std::cerr << "usage: embed COMMAND FILE.svg\n";
        return 2;
    }

    tracer::Request request;
    request.programs = {{"syscall:::entry /pid == $target/ { @calls[probefunc] = count(); }"}};
    request.commands = {argv[1]};
    const auto fail = [](const Error& error) { return std::cerr << error.message << '\n', 1; };
    auto tracer = tracer::Tracer::open(std::move(request));
    if (!tracer) return fail(tracer.error());

    auto compilation = (*tracer)->compile();
    for (const auto& diagnostic : compilation.diagnostics)
        std::cerr << diagnostic.text << '\n';
    if (!compilation.program) return 1;

    auto run = (*tracer)->start(*std::move(compilation.program));
    if (!run) return fail(run.error());
    graph::Store store;
    for (bool more = true; more;) {
        const auto polled = (*run)->poll(std::chrono::milliseconds(100), [&](const record::Record& r) { store.take(r); });
        if (!polled) return fail(polled.error());
        more = *polled;
    }

    std::ofstream file(argv[2]);
    for (const auto& kind : graph::kinds()) // the views, best first
        if (kind.fits(store))
            for (const auto& format : exporters::all())
                if (format->suffix() == "svg") return format->write(*kind.make(store), {}, file) ? 0 : 1;
    return 1;
}
