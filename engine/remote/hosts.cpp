#include "engine/remote/hosts.h"
#include "engine/base/input_file.h"
#include "engine/remote/child.h"
#include "engine/remote/named_values.h"
#include "engine/remote/subject.h"
#include <algorithm>
#include <cerrno>
#include <set>
namespace dscope::remote {
namespace {
constexpr std::size_t kMostBySsh = 10'000;
std::vector<std::string> split(std::string_view text, std::string_view separators)
{
    std::vector<std::string> words;
    for (std::size_t from = 0; (from = text.find_first_not_of(separators, from)) != text.npos;) {
        const auto end = std::min(text.find_first_of(separators, from), text.size());
        words.emplace_back(text.substr(from, end - from));
        from = end;
    }
    return words;
}
/// So that the shell of the host gives it back as one word.
std::string quoted(const std::string& word)
{
    std::string out = "'";
    for (const char c : word)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + '\'';
}
Result<> setSsh(Hosts& hosts, const std::string& value)
{
    hosts.ssh = split(value, " ");
    if (hosts.ssh.empty()) return Error{0, "takes a command, as 'ssh -F my.conf', not nothing"};
    return {};
}
Result<> setDscope(Hosts& hosts, const std::string& value)
{
    hosts.dscope = split(value, " ");
    if (hosts.dscope.empty()) return Error{0, "takes the command as it is called on the hosts, not nothing"};
    return {};
}
Result<> setSudo(Hosts& hosts, const std::string& value)
{
    if (value != "yes" && value != "no") return Error{0, "is yes or no, not \"" + value + '"'};
    hosts.usesSudo = value == "yes";
    return {};
}
/// The option itself says on the host what is wrong with it.
template <std::string Hosts::*Member> Result<> setText(Hosts& hosts, const std::string& value)
{
    hosts.*Member = value == "none" ? std::string() : value;
    return {};
}
Result<> setEvery(Hosts& hosts, const std::string& value)
{
    DSCOPE_TRY(hosts.every, timeOf(value));
    return {};
}
Result<> setGrace(Hosts& hosts, const std::string& value)
{
    DSCOPE_TRY(hosts.grace, timeOf(value));
    return {};
}
Result<> setAtOnce(Hosts& hosts, const std::string& value)
{
    if (readNumber(value, hosts.atOnce) && hosts.atOnce >= 1 && hosts.atOnce <= kMostBySsh) return {};
    return Error{0, "takes the number of hosts to connect to at the same time, not \"" + value + '"'};
}
Result<> setSignature(Hosts& hosts, const std::string& value)
{
    DSCOPE_TRY(hosts.signature, readWholeFile(value));
    return {};
}
Result<> setPrinted(Hosts& hosts, const std::string& value)
{
    DSCOPE_TRY(hosts.printed, sizeOf(value));
    return {};
}
constexpr std::array<NamedValue<Hosts>, 10> kHostRows{
    {{"ssh", setSsh}, {"dscope", setDscope}, {"sudo", setSudo}, {"cost", setText<&Hosts::costLimit>}, {"read", setText<&Hosts::readEvery>},
        {"every", setEvery}, {"grace", setGrace}, {"atonce", setAtOnce}, {"signature", setSignature}, {"printed", setPrinted}}};
} // namespace

Result<std::vector<std::string>> hostsOf(const std::string& words)
{
    auto all = words;
    // user@host is ssh's, @group ClusterShell's.
    if (words.find_first_of("[]*?&!^") != words.npos || words.starts_with('@') || words.find(",@") != words.npos) {
        auto expanded = outputOf({"nodeset", "-e", "-S", ",", words});
        if (!expanded && expanded.error().code == ENOENT)
            return Error{0,
                "--on " + words
                    + ": groups and brackets are ClusterShell's, whose nodeset is not here: install clustershell, or name each host"};
        if (!expanded) return std::move(expanded).error().in("--on " + words);
        all = *std::move(expanded);
    }

    std::vector<std::string> hosts;
    std::set<std::string> known;
    for (auto& host : split(all, ", ")) {
        const bool isName = !host.starts_with('-') && host.size() <= kLongestHost
            && std::all_of(host.begin(), host.end(), [](char c) { return c > ' ' && c < 0x7f; });
        if (!isName) return Error{0, "--on takes names of hosts, as ssh knows them, and \"" + host + "\" is none"};
        if (known.insert(host).second) hosts.push_back(std::move(host));
    }
    if (hosts.empty()) return Error{0, "--on names no host: it takes web1,web2 or @group"};
    if (hosts.size() > kMostBySsh)
        return Error{0,
            "--on names " + std::to_string(hosts.size()) + " hosts, and by ssh " + std::to_string(kMostBySsh)
                + " are the most: publish through a broker, with --publish on the hosts"};
    return hosts;
}

Result<> set(Hosts& hosts, const std::string& option) { return setNamed(kHostRows, "--each", option, hosts); }

std::vector<std::string> commandOf(const Hosts& hosts, const std::string& host, const std::vector<std::string>& words)
{
    auto command = hosts.ssh;
    // Nobody is asked for a password; a host that is gone is noticed.
    for (const char* option :
        {"-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=10", "-o", "ServerAliveCountMax=3"})
        command.emplace_back(option);
    command.emplace_back("--");
    command.push_back(host);
    std::string text = hosts.usesSudo ? "sudo -n" : "";
    for (const auto* part : {&hosts.dscope, &words})
        for (const auto& word : *part)
            text += (text.empty() ? "" : " ") + quoted(word);
    command.push_back(text);
    return command;
}

Result<std::vector<std::string>> wordsOf(const std::string& command)
{
    const Error wrong{0, "the command is none that dscope --on sends"};
    const auto isPlain = [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; }; // sudo -n
    std::vector<std::string> words;
    for (std::size_t at = 0; at < command.size();) {
        std::string word;
        for (; at < command.size() && command[at] != ' '; ++at) {
            if (command[at] == '\'') {
                const auto end = command.find('\'', at + 1);
                if (end == command.npos) return wrong;
                word += command.substr(at + 1, end - at - 1);
                at = end;
            } else if (command.compare(at, 2, "\\'") == 0) {
                word += '\'';
                ++at;
            } else if (isPlain(command[at])) {
                word += command[at];
            } else {
                return wrong;
            }
        }
        words.push_back(std::move(word));
        at += at < command.size() ? 1 : 0;
    }
    return words;
}
} // namespace dscope::remote
