#pragma once
#include "engine/record/record.h"
namespace dscope::record {
/// Removes the host, users and their folders, and arguments of commands from a stream. Users and command lines that are keys
/// become numbers, so that their rows stay different. Feed it every record, in order.
class Redactor {
public:
    Record operator()(const Record& record);

private:
    struct Place {
        Field field;
        enum class What : std::uint8_t { Text, User, Arguments } what = What::Text;
    };
    static std::vector<Place> placesOf(const std::vector<Field>& fields);
    void redact(const std::vector<Place>& places, Bytes& bytes);
    static void redact(CountedStacks& stacks);
    std::size_t numberOf(std::map<std::string, std::size_t>& numbers, const std::string& text);
    std::vector<std::vector<Place>> m_clauses, m_aggregations;
    std::map<std::string, std::size_t> m_users, m_commands;
};
/// Whom ProcessEvent::uid names after redaction: nobody.
constexpr std::uint32_t kNoUser = UINT32_MAX;
/// `text` with the names of users' folders taken out: "/home/ada/x" gives "/home/~/x".
std::string withoutUsers(std::string_view text);
} // namespace dscope::record
