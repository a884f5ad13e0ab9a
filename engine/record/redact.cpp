#include "engine/record/redact.h"
#include "engine/record/counted_stacks.h"
#include "engine/record/value.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
namespace dscope::record {
namespace {
constexpr std::array<std::string_view, 2> kHomes{"/home/", "/Users/"};
bool namesUser(std::string_view text)
{
    return std::any_of(kHomes.begin(), kHomes.end(), [&](std::string_view home) { return text.find(home) != text.npos; });
}
std::string baseOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }
std::string firstWord(const std::string& line) { return baseOf(line.substr(0, line.find(' '))); }
/// Whether `name` has the word `part` ("pr_uid", "uid", "cr_ruid"), not only its letters ("fluid").
bool mentions(const std::string& name, std::string_view part)
{
    for (auto at = name.find(part); at != name.npos; at = name.find(part, at + 1)) {
        const auto end = at + part.size();
        const bool begins = at == 0 || !std::isalnum(static_cast<unsigned char>(name[at - 1]))
            || (at > 0 && std::strchr("resf", name[at - 1]) && (at == 1 || !std::isalnum(static_cast<unsigned char>(name[at - 2]))));
        if (begins && (end == name.size() || !std::isalnum(static_cast<unsigned char>(name[end])))) return true;
    }
    return false;
}
} // namespace

std::string withoutUsers(std::string_view text)
{
    std::string out(text);
    for (const auto home : kHomes)
        for (std::size_t at = 0; (at = out.find(home, at)) != out.npos;) {
            at += home.size();
            const auto end = std::min(out.find_first_of("/ :;\t\n", at), out.size());
            if (end > at) out.replace(at, end - at, "~");
        }
    return out;
}
std::vector<Redactor::Place> Redactor::placesOf(const std::vector<Field>& fields)
{
    std::vector<Place> out;
    for (const auto& field : fields) {
        const bool number = field.kind == FieldKind::Int || field.kind == FieldKind::Uint;
        if (number && (mentions(field.name, "uid") || mentions(field.name, "gid")))
            out.push_back({field, Place::What::User});
        else if (field.kind == FieldKind::String && mentions(field.name, "pr_psargs"))
            out.push_back({field, Place::What::Arguments});
        else if (field.kind == FieldKind::String)
            out.push_back({field, Place::What::Text});
    }
    return out;
}
std::size_t Redactor::numberOf(std::map<std::string, std::size_t>& numbers, const std::string& text)
{
    return numbers.try_emplace(text, numbers.size() + 1).first->second;
}
void Redactor::redact(const std::vector<Place>& places, Bytes& bytes)
{
    for (const auto& [field, what] : places) {
        if (field.offset >= bytes.size() || field.size > bytes.size() - field.offset) continue;
        auto* const at = bytes.data() + field.offset;
        if (what == Place::What::User) {
            const auto number = numberOf(m_users, std::to_string(integerOf(field, bytes)));
            std::memcpy(at, &number, std::min<std::size_t>(field.size, sizeof number)); // little endian, as all of it
            continue;
        }
        const std::string was = stringOf(field, bytes);
        const std::string now
            = what == Place::What::Text ? withoutUsers(was) : firstWord(was) + " #" + std::to_string(numberOf(m_commands, was));
        if (now == was) continue;
        std::memset(at, 0, field.size);
        std::memcpy(at, now.data(), std::min<std::size_t>(now.size(), field.size - 1));
    }
}
void Redactor::redact(CountedStacks& stacks)
{
    if (stacks.empty()) return;
    bool any = stacks.table->tellsLines();
    for (std::uint32_t i = 0; i < stacks.table->textCount() && !any; ++i)
        any = namesUser(stacks.table->text(i));
    if (!any) return;
    std::array<std::string, 2> texts; // of the frame that is asked for
    stacks = withFrames(stacks, [&](const NamedFrame& frame) {
        texts = {withoutUsers(frame.name), withoutUsers(frame.module)};
        return NamedFrame{.name = texts[0], .kind = frame.kind, .inlined = frame.inlined, .module = texts[1]};
    });
}
Record Redactor::operator()(const Record& record)
{
    Record out = record;
    if (auto* program = std::get_if<Program>(&out)) {
        program->host.clear();
        program->command = firstWord(program->command);
        program->arguments.clear();
        program->name = baseOf(program->name);
        program->source = withoutUsers(program->source);
        m_clauses.clear();
        m_aggregations.clear();
        for (const auto& clause : program->clauses) {
            std::vector<Field> fields;
            for (const auto& action : clause.actions)
                fields.insert(fields.end(), action.fields.begin(), action.fields.end());
            m_clauses.push_back(placesOf(fields));
        }
        for (const auto& aggregation : program->aggregations)
            m_aggregations.push_back(placesOf(aggregation.keys));
    } else if (auto* fired = std::get_if<Fired>(&out)) {
        if (fired->clause.value < m_clauses.size()) redact(m_clauses[fired->clause.value], fired->payload);
    } else if (auto* rows = std::get_if<AggregationRows>(&out)) {
        if (rows->aggregation.value < m_aggregations.size())
            for (auto& row : rows->rows)
                redact(m_aggregations[rows->aggregation.value], row.key);
    } else if (auto* stack = std::get_if<StackDef>(&out)) {
        std::vector<Frame> frames(stack->frames.begin(), stack->frames.end());
        for (auto& frame : frames) {
            frame.module = withoutUsers(frame.module);
            frame.file = {};
            frame.line = 0;
            frame.code = CodeFile{{}, frame.code->buildId};
        }
        stack->frames = FrameList(std::move(frames));
    } else if (auto* folded = std::get_if<CountedStacks>(&out)) {
        redact(*folded);
    } else if (auto* stacks = std::get_if<StackParts>(&out)) {
        for (std::size_t i = 0; i < stacks->by.size(); ++i) {
            const auto places = placesOf(stacks->by[i].keys);
            for (auto& part : stacks->parts)
                redact(places, part.keys[i]);
        }
    } else if (auto* process = std::get_if<ProcessEvent>(&out)) {
        process->uid = kNoUser;
        process->cwd.clear();
        process->path = withoutUsers(process->path);
        if (!process->args.empty()) process->args = {baseOf(process->args.front())};
    } else if (auto* diagnostic = std::get_if<Diagnostic>(&out)) {
        for (auto* text : {&diagnostic->file, &diagnostic->message, &diagnostic->text})
            *text = withoutUsers(*text);
    }
    return out;
}
} // namespace dscope::record
