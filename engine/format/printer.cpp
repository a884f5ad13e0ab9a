#include "engine/format/printer.h"
#include "engine/format/structured_printer.h"
#include "engine/format/text_printer.h"
#include <optional>
#include <utility>
namespace dscope::format {
using namespace record;
struct Printer::Impl {
    Impl(Write o, Write m, Effects* e) : out(std::move(o)), messages(std::move(m)), effects(e), text(out, messages, effects) { }

    void choose(const Program& program)
    {
        const auto own = program.options.find("oformat");
        const auto style = documentStyle(!format.empty() ? format : own != program.options.end() ? own->second : "");
        if (!style) return;
        document.emplace(*style, out, messages, effects);
        document->checkOptions(check);
        document->groupDigits(grouping);
    }

    Write out, messages;
    Effects* effects;
    std::string format; ///< asked for; empty: as the program says
    OptionCheck check;
    Grouping grouping;
    TextPrinter text;
    std::optional<StructuredPrinter> document;
};

Printer::Printer(Write out, Write messages, Effects* effects) : m(std::make_unique<Impl>(std::move(out), std::move(messages), effects)) { }
Printer::~Printer() = default;
void Printer::setFormat(std::string oformat) { m->format = std::move(oformat); }

void Printer::checkOptions(OptionCheck check)
{
    m->check = check;
    m->text.checkOptions(std::move(check));
}

void Printer::toTerminal(bool isTerminal) { m->text.toTerminal(isTerminal); }

void Printer::groupDigits(Grouping grouping)
{
    m->text.groupDigits(grouping);
    m->grouping = std::move(grouping);
}

void Printer::take(const Record& record)
{
    if (const auto* program = std::get_if<Program>(&record); program && !m->document) m->choose(*program);
    if (m->document)
        m->document->take(record);
    else
        m->text.take(record);
}

void Printer::finish()
{
    if (m->document) m->document->finish();
}
} // namespace dscope::format
