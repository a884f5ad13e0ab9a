#pragma once
#include "engine/remote/address.h"
#include "engine/remote/broker.h"
namespace dscope::remote {
/// What the module gives: a broker that is not yet connected, which its caller owns. Both are built as one, so that C++ may cross; its name
/// has the version.
using NatsFunction = Broker* (*)(const Address& address);
#define DSCOPE_NATS_FUNCTION dscope_nats_broker_1
constexpr const char* kNatsFunction = "dscope_nats_broker_1";
} // namespace dscope::remote
