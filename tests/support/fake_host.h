#pragma once
#include "engine/host/host.h"
#include <algorithm>
#include <cerrno>
#include <map>
#include <sys/mman.h>
namespace dscope::tests {
/// A machine of four CPUs whose files are what a test says; nothing of the real one shows through, but for `passThrough`
/// paths (kernel types; what a file is), which are the same facts on every machine that has them.
class FakeHost final : public host::Host {
public:
    std::map<std::string, std::string> files;
    std::vector<std::string> passThrough{"/sys/kernel/btf/vmlinux"};
    std::uint32_t version = 0x060100;
    int cpus = 4;
    bool functionPrograms = false; ///< see Host::takesFunctionPrograms

    Result<std::string> read(const std::string& path) const override
    {
        if (auto f = files.find(path); f != files.end()) return f->second;
        for (const auto& p : passThrough)
            if (p == path) return m_real->read(path);
        return Error{ENOENT, "cannot read " + path + ": No such file or directory"};
    }
    Result<std::vector<std::string>> entries(const std::string&) const override { return std::vector<std::string>{}; }
    Fd open(const std::string& path, int) const override
    {
        const auto found = files.find(path);
        errno = ENOENT;
        if (found == files.end()) return Fd();
        Fd file(::memfd_create("fake", MFD_CLOEXEC));
        if (::pwrite(file.get(), found->second.data(), found->second.size(), 0) < 0) return Fd();
        return file;
    }
    std::optional<struct stat> status(const std::string& path) const override
    {
        if (std::find(passThrough.begin(), passThrough.end(), path) != passThrough.end()) return m_real->status(path);
        struct stat about { };
        const auto file = open(path, 0);
        if (!file || ::fstat(file.get(), &about) != 0) return {};
        return about;
    }
    std::uint32_t kernelVersion() const override { return version; }
    Result<> takesFunctionPrograms(std::uint32_t) const override
    {
        if (functionPrograms) return {};
        return Error{EPERM, "Operation not permitted"};
    }
    std::string kernelRelease() const override { return "6.1.0-fake"; }
    std::string hostName() const override { return "fake"; }
    int cpuCount() const override { return cpus; }
    std::vector<int> onlineCpus() const override
    {
        std::vector<int> all;
        for (int i = 0; i < cpus; ++i)
            all.push_back(i);
        return all;
    }

private:
    std::unique_ptr<host::Host> m_real = host::local();
};
} // namespace dscope::tests
