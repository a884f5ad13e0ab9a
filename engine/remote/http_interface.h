#pragma once
#include "engine/remote/http.h"
namespace dscope::remote {
/// What the module does: post(). False: `error` has the reason. Both are built as one, so that C++ may cross; its name has the version.
using HttpFunction = bool (*)(const HttpRequest& request, HttpAnswer& answer, Error& error);
#define DSCOPE_HTTP_FUNCTION dscope_http_post_1
constexpr const char* kHttpFunction = "dscope_http_post_1";
} // namespace dscope::remote
