#pragma once
#include "engine/base/result.h"
#include <chrono>
#include <string>
#include <vector>
namespace dscope::remote {
/// Hosts that run one program, and how to get there: --on and --each.
struct Hosts {
    std::vector<std::string> names;              ///< as ssh knows them, each once
    std::vector<std::string> ssh{"ssh"};         ///< the command that runs another one on a host, with its own options
    std::vector<std::string> dscope{"dscope"};   ///< the command there
    bool usesSudo = false;                       ///< where the login is not root's
    std::string costLimit = "10%";               ///< of option costlimit, where the user's words have none; empty: none
    std::string readEvery = "1s";                ///< likewise of aggrate
    std::size_t printed = std::size_t{16} << 20; ///< bytes of what the program prints that are kept of a host, the first of it
    std::string signature;                       ///< of the program, as ssh-keygen made it, for agents that ask for one; empty: none
    std::chrono::nanoseconds every = std::chrono::seconds(1); ///< between pictures
    std::chrono::nanoseconds grace = std::chrono::seconds(4); ///< for a host to end after --for, or when it is asked to
    std::size_t atOnce = 32;                                  ///< hosts that are connected to at the same time
};
/// "web1,db[1-20],@group": groups and brackets are ClusterShell's, whose nodeset is asked for them. Error: what is wrong with the
/// words, or that nodeset is missing.
Result<std::vector<std::string>> hostsOf(const std::string& words);
/// One "NAME=VALUE" of --each. Error: what is wrong, with the names that there are.
Result<> set(Hosts& hosts, const std::string& option);
/// What ssh is to run for a host: `words` are dscope's.
std::vector<std::string> commandOf(const Hosts& hosts, const std::string& host, const std::vector<std::string>& words);
/// The words of a command that commandOf() made for the shell of a host, to run it without one. Error: it is none.
Result<std::vector<std::string>> wordsOf(const std::string& command);
} // namespace dscope::remote
