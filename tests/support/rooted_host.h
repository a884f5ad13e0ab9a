#pragma once
#include "engine/host/host.h"
namespace dscope::tests {
/// This machine, but for /proc and /sys, which lie in a folder of the test.
class RootedHost final : public host::Host {
public:
    enum class Others { Missing, AsTheyAre }; ///< what is not in the folder
    explicit RootedHost(std::string root, Others others = Others::Missing) : m_root(std::move(root)), m_others(others) { }
    Result<std::string> read(const std::string& path) const override { return m_real->read(place(path)); }
    Result<std::vector<std::string>> entries(const std::string& directory) const override { return m_real->entries(place(directory)); }
    Fd open(const std::string& path, int flags) const override { return m_real->open(place(path), flags); }
    std::optional<struct stat> status(const std::string& path) const override { return m_real->status(place(path)); }
    std::uint32_t kernelVersion() const override { return m_real->kernelVersion(); }
    std::string kernelRelease() const override { return m_real->kernelRelease(); }
    std::string hostName() const override { return m_real->hostName(); }
    int cpuCount() const override { return m_real->cpuCount(); }
    std::vector<int> onlineCpus() const override { return m_real->onlineCpus(); }

private:
    std::string place(const std::string& path) const
    {
        if (!path.starts_with("/proc") && !path.starts_with("/sys")) return path;
        return m_others == Others::AsTheyAre && !m_real->status(m_root + path) ? path : m_root + path;
    }
    std::string m_root;
    Others m_others;
    std::unique_ptr<host::Host> m_real = host::local();
};
} // namespace dscope::tests
