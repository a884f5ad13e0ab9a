#include "cli/signed_program.h"
#include "engine/base/fd.h"
#include "engine/remote/child.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
namespace dscope::cli {
namespace {
constexpr const char* kNamespace = "dscope"; // Source: ssh-keygen(1), -Y sign: what a signature is for
/// A file in memory, which programs that we start have open, too.
Result<Fd> fileOf(const std::string& text)
{
    Fd file(::memfd_create("dscope", 0));
    if (!file || ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())
        || ::lseek(file.get(), 0, SEEK_SET) != 0)
        return Error{errno, std::string("cannot make a file in memory: ") + std::strerror(errno)};
    return file;
}
Result<std::string> askKeygen(const std::vector<std::string>& arguments, int input)
{
    std::vector<std::string> words{"ssh-keygen", "-Y"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    auto answer = remote::outputOf(words, input);
    if (!answer && answer.error().code == ENOENT)
        return Error{0, "signatures are checked by ssh-keygen, which is not here: install openssh-client"};
    if (!answer) {
        auto why = answer.error().message;
        std::replace(why.begin(), why.end(), '\n', ' ');
        return Error{0, why};
    }
    return answer;
}
} // namespace

Result<std::string> signerOf(const std::string& program, const std::string& signature, const std::string& signers)
{
    DSCOPE_TRY(const auto text, fileOf(program));
    DSCOPE_TRY(const auto signatureFile, fileOf(signature));
    const auto path = "/dev/fd/" + std::to_string(signatureFile.get());
    auto found = askKeygen({"find-principals", "-s", path, "-f", signers}, -1);
    if (!found) return std::move(found).error().in("the signature is by no key of " + signers);
    const auto name = found->substr(0, found->find('\n'));
    auto verified = askKeygen({"verify", "-f", signers, "-I", name, "-n", kNamespace, "-s", path}, text.get());
    if (!verified) return std::move(verified).error().in("the signature is not one of " + name + " for this program");
    return name;
}
} // namespace dscope::cli
