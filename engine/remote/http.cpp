#include "engine/base/own_module.h"
#include "engine/remote/http_interface.h"
#include <dlfcn.h>
namespace dscope::remote {
Result<HttpAnswer> post(const HttpRequest& request)
{
    const auto module = ownModule("dscope-http.so");
    if (!module)
        return Error{0,
            "HTTP needs the library libcurl, as the package libcurl4 has it (" + module.error().message
                + ": it is built where libcurl4-openssl-dev is installed)"};
    const auto send = reinterpret_cast<HttpFunction>(::dlsym(*module, kHttpFunction));
    if (!send) return Error{0, "dscope-http.so is of another version of dscope"};
    HttpAnswer answer;
    Error error;
    if (!send(request, answer, error)) return error;
    return answer;
}
} // namespace dscope::remote
