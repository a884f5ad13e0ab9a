#pragma once
#include "engine/host/host.h"
namespace dscope::tracer {
/// A machine seen in another way. Whatever a subclass does not override is answered by the real machine.
class SeenHost : public host::Host {
public:
    explicit SeenHost(const host::Host& real) : m_real(real) { }
    Result<std::string> read(const std::string& path) const override { return m_real.read(path); }
    Result<std::vector<std::string>> entries(const std::string& directory) const override { return m_real.entries(directory); }
    Fd open(const std::string& path, int flags) const override { return m_real.open(path, flags); }
    std::optional<struct stat> status(const std::string& path) const override { return m_real.status(path); }
    std::uint32_t kernelVersion() const override { return m_real.kernelVersion(); }
    std::string kernelRelease() const override { return m_real.kernelRelease(); }
    std::string hostName() const override { return m_real.hostName(); }
    int cpuCount() const override { return m_real.cpuCount(); }
    std::vector<int> onlineCpus() const override { return m_real.onlineCpus(); }
    std::optional<PidNamespace> pidNamespace() const override { return m_real.pidNamespace(); }
    Result<HeldText> kernelTypes() const override { return m_real.kernelTypes(); }
    Result<> takesFunctionPrograms(std::uint32_t function) const override { return m_real.takesFunctionPrograms(function); }

private:
    const host::Host& m_real;
};
} // namespace dscope::tracer
