#include "engine/base/input_file.h"
#include "engine/base/own_module.h"
#include "engine/remote/nats_interface.h"
#include <dlfcn.h>
namespace dscope::remote {
Result<std::unique_ptr<Broker>> natsBroker(const Address& address)
{
    for (const auto* file : {&address.credentials, &address.authorities, &address.certificate, &address.key})
        if (!file->empty()) {
            auto read = readWholeFile(*file);
            if (!read) return std::move(read).error().in("--broker");
        }
    const auto module = ownModule("dscope-nats.so");
    if (!module)
        return Error{0,
            "--publish and --collect need NATS's client library, as the package libnats3.4 has it (" + module.error().message
                + ": it is built where libnats-dev is installed)"};
    const auto make = reinterpret_cast<NatsFunction>(::dlsym(*module, kNatsFunction));
    if (!make) return Error{0, "dscope-nats.so is of another version of dscope"};
    return std::unique_ptr<Broker>(make(address));
}
} // namespace dscope::remote
