#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
namespace dscope::host {
/// How a control group's folder is named that is a container's: `before`, the container's name, `after`.
struct ContainerFolder {
    std::string_view before, after;
    std::string_view within = {}; ///< the folder that it is in; empty: any
};
/// Names are written as systemd writes them in those of units: kEscapedDash is a "-".
/// Source: systemd, src/nspawn/nspawn-register.c, units/systemd-nspawn@.service.in; libvirt, src/util/virsystemd.c; LXC,
/// lxc.container.conf(5) about lxc.cgroup.dir, and lxc/NAME before LXC 4.
inline constexpr auto kContainerFolders = std::to_array<ContainerFolder>({
    {"machine-", ".scope"},
    {"systemd-nspawn@", ".service"},
    {"lxc.payload.", ""},
    {"", "", "lxc"},
});
inline constexpr std::string_view kEscapedDash = "\\x2d";
/// Others number containers. A folder is the id alone or has it behind a dash, and may be a scope: /docker/ID, /kubepods/POD/ID,
/// docker-ID.scope, libpod-ID.scope, cri-containerd-ID.scope, crio-ID.scope. An id is digits of base 16, lower case.
inline constexpr std::size_t kContainerId = 64;      ///< digits
inline constexpr std::size_t kShownContainerId = 12; ///< as the engines themselves cut it
inline constexpr std::string_view kContainerScope = ".scope";

/// The container that a control group's path tells: the deepest one, where one runs in another.
struct FoundContainer {
    std::string name;    ///< as D's `container` has it: its name or the beginning of its id; empty where the path tells of none
    std::string id;      ///< the whole id; empty where it has a name
    std::size_t end = 0; ///< where in the path the container's folder ends
};
FoundContainer containerIn(std::string_view path);
} // namespace dscope::host
