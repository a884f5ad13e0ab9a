#include "cli/serve.h"
#include "cli/messages.h"
#include "cli/run.h"
#include "cli/signed_program.h"
#include "engine/base/input_file.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <getopt.h>
#include <memory>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>
namespace dscope::cli {
namespace {
constexpr const char* kCommand = "SSH_ORIGINAL_COMMAND"; // Source: sshd(8), AUTHORIZED_KEYS FILE FORMAT, command="..."
constexpr const char* kUsualCost = "10%";
/// Nobody but its owner may change it, and that is root or we. Error: why not.
Result<> checkOwned(const std::string& path)
{
    struct stat facts { };
    if (::stat(path.c_str(), &facts) != 0) return Error{errno, path + ": " + std::strerror(errno)};
    if (facts.st_uid != 0 && facts.st_uid != ::geteuid()) return Error{0, path + " belongs to neither root nor the user that serves"};
    if ((facts.st_mode & (S_IWGRP | S_IWOTH)) != 0) return Error{0, path + " may be changed by others: chmod go-w it"};
    return {};
}
/// The same of a folder and of all above it: who may rename one of them may put another in its place. In a sticky one (/tmp) only owners
/// may. Error: why not.
Result<> checkFolder(const std::string& folder)
{
    DSCOPE_CHECK(checkOwned(folder));
    const std::unique_ptr<char, void (*)(void*)> real(::realpath(folder.c_str(), nullptr), ::free);
    if (!real) return Error{errno, folder + ": " + std::strerror(errno)};
    for (std::string path = real.get(); path.size() > 1;) {
        path.resize(std::max<std::size_t>(path.rfind('/'), 1));
        struct stat facts { };
        const bool isSticky = ::stat(path.c_str(), &facts) == 0 && (facts.st_mode & S_ISVTX) != 0 && facts.st_uid == 0;
        if (!isSticky) DSCOPE_CHECK(checkOwned(path));
    }
    return {};
}
/// The file of the folder that is this program.
Result<std::string> fileWith(const std::string& program, const std::string& folder)
{
    DSCOPE_CHECK(checkFolder(folder));
    const std::unique_ptr<DIR, int (*)(DIR*)> files(::opendir(folder.c_str()), ::closedir);
    if (!files) return Error{errno, folder + ": " + std::strerror(errno)};
    while (const auto* entry = ::readdir(files.get())) {
        const std::string name = entry->d_name;
        if (!name.ends_with(".d")) continue;
        const auto path = folder + '/' + name;
        DSCOPE_TRY(const auto text, readWholeFile(path));
        if (text != program) continue;
        DSCOPE_CHECK(checkOwned(path));
        return path;
    }
    return Error{0, "the program is none that is allowed on this host: its administrator has to put it into " + folder};
}
/// That the program may run, since it is a file of the folder or somebody whom a file there names has signed it; which goes into the log.
Result<> checkAllowed(const std::string& program, const std::string& signature, const std::string& folder)
{
    const auto file = fileWith(program, folder);
    if (file) ::syslog(LOG_INFO, "%s is run", file->c_str());
    if (file || signature.empty()) return file ? Result<>() : Result<>(file.error());
    const auto signers = folder + "/allowed_signers"; // Source: ssh-keygen(1), ALLOWED SIGNERS
    if (::access(signers.c_str(), F_OK) != 0)
        return Error{0, file.error().message + " (it is signed, but there is no " + signers + " to check that by)"};
    DSCOPE_CHECK(checkFolder(folder));
    DSCOPE_CHECK(checkOwned(signers));
    auto signer = signerOf(program, signature, signers);
    if (!signer) return Error{0, file.error().message + "; " + signer.error().message};
    ::syslog(LOG_INFO, "a program that %s has signed is run", signer->c_str());
    return {};
}
/// Of the options that --on sends, those that do no more than run a program.
bool isHarmless(std::string_view option)
{
    constexpr std::array<std::string_view, 3> kNames{"aggrate", "quiet", "flowindent"};
    return std::find(kNames.begin(), kNames.end(), option.substr(0, option.find('='))) != kNames.end();
}
} // namespace

Result<std::vector<std::string>> allowedWords(const std::string& command, const std::string& folder, const std::string& costLimit)
{
    DSCOPE_TRY(const auto asked, remote::wordsOf(command));
    // Which dscope was meant does not matter: it is this one.
    auto word = std::find(asked.begin(), asked.end(), "--stream");
    if (word == asked.end() || word + 1 == asked.end() || *(word + 1) != "1") return Error{0, "this key is for dscope --on alone"};
    std::vector<std::string> words{"--stream", "1"};
    const auto most = options::parseShare(costLimit);
    if (!most) return Error{0, "costlimit " + costLimit + " is no share of CPU time"};
    std::string cost = costLimit;
    bool hasProgram = false;
    std::string signature; // --on sends it first
    for (word += 2; word != asked.end() && *word != "--"; ++word) {
        const auto option = *word;
        if (option == "-q" || option == "-F") {
            words.push_back(option);
            continue;
        }
        if (word + 1 == asked.end()) return Error{0, option + " is not allowed here"};
        const auto& value = *++word;
        if (option == "-n") {
            DSCOPE_CHECK(checkAllowed(value, signature, folder));
            words.insert(words.end(), {option, value});
            hasProgram = true;
        } else if (option == "--signature") {
            signature = value;
        } else if (option == "-x" && value.starts_with("costlimit=")) {
            const auto share = options::parseShare(value.substr(value.find('=') + 1));
            if (share && *share < *most) cost = value.substr(value.find('=') + 1);
        } else if (option == "--at" || option == "--for" || (option == "-x" && isHarmless(value))) {
            words.insert(words.end(), {option, value});
        } else {
            return Error{0, option + ' ' + value + " is not allowed here"};
        }
    }
    if (word != asked.end() && word + 1 != asked.end()) return Error{0, "arguments of programs are not allowed here"};
    if (!hasProgram) return Error{0, "there is no program"};
    words.insert(words.end(), {"-x", "costlimit=" + cost});
    return words;
}

int serve(const Arguments& a)
{
    const auto* command = std::getenv(kCommand);
    if (!command)
        return fail("--serve is what sshd runs for a key: command=\"dscope --serve " + a.served
            + "\",restrict in front of it in authorized_keys (docs/fleet.md)");
    ::openlog("dscope", LOG_PID, LOG_AUTHPRIV);
    const auto* from = std::getenv("SSH_CONNECTION");
    const auto words = allowedWords(command, a.served, a.options.isSet("costlimit") ? a.options.text("costlimit") : kUsualCost);
    if (!words) {
        ::syslog(LOG_NOTICE, "refused to %s: %s", from ? from : "somebody", words.error().message.c_str());
        return fail(words.error().message);
    }

    std::vector<std::string> copies{"dscope"};
    copies.insert(copies.end(), words->begin(), words->end());
    std::vector<char*> argv;
    for (auto& word : copies)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    ::optind = 0; // Source: getopt(3): begins anew
    const auto parsed = parseArguments(static_cast<int>(copies.size()), argv.data());
    if (const auto* bad = std::get_if<BadArguments>(&parsed)) return fail(bad->message);
    return run(std::get<Arguments>(parsed));
}
} // namespace dscope::cli
