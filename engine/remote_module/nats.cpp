#include "engine/remote/nats_interface.h"
#include <algorithm>
#include <cerrno>
#include <nats/nats.h>
#include <vector>
namespace dscope::remote {
namespace {
constexpr std::int64_t kConnectTimeout = 2000, kAnswerTimeout = 3000, kReconnectWait = 250; // ms
constexpr std::chrono::seconds kLookEvery{1};
template <typename T, void (*Free)(T*)> struct With {
    void operator()(T* p) const { Free(p); }
};
template <typename T, void (*Free)(T*)> using Owned = std::unique_ptr<T, With<T, Free>>;
using Message = Owned<natsMsg, natsMsg_Destroy>;
using Info = Owned<jsStreamInfo, jsStreamInfo_Destroy>;
Error away(const std::string& why) { return Error{kAway, why}; }
/// What the library says of the last call of this thread.
std::string reasonOf(natsStatus status)
{
    natsStatus last = status;
    const char* detail = nats_GetLastError(&last);
    std::string text = natsStatus_GetText(status);
    if (detail && *detail && last == status) text += std::string(" (") + detail + ')';
    return text;
}
/// What no waiting mends.
bool isFinal(natsStatus status)
{
    return status == NATS_CONNECTION_AUTH_FAILED || status == NATS_SSL_ERROR || status == NATS_SECURE_CONNECTION_WANTED
        || status == NATS_SECURE_CONNECTION_REQUIRED || status == NATS_ADDRESS_MISSING || status == NATS_INVALID_ARG;
}

class NatsBroker final : public Broker {
public:
    explicit NatsBroker(Address address) : m_address(std::move(address)), m_stream("DSCOPE_" + m_address.run) { }
    ~NatsBroker() override { disconnect(); }
    NatsBroker(const NatsBroker&) = delete;
    NatsBroker& operator=(const NatsBroker&) = delete;

    Result<std::uint64_t> keep(const std::string& subject, ByteView payload, std::uint64_t after) override
    {
        DSCOPE_CHECK(connect());
        DSCOPE_CHECK(makeStream());
        jsPubOptions options;
        jsPubOptions_Init(&options);
        options.MaxWait = kAnswerTimeout;
        options.ExpectLastSubjectSeq = after;
        options.ExpectNoMessage = after == 0;
        jsPubAck* taken = nullptr;
        jsErrCode code{};
        const auto status = js_Publish(&taken, m_js, subject.c_str(), payload.data(), static_cast<int>(payload.size()), &options, &code);
        const Owned<jsPubAck, jsPubAck_Destroy> owner(taken);
        if (status == NATS_OK) return taken->Sequence;
        if (code == JSStreamWrongLastSequenceErr) return Error{kOther, "another message is kept there"};
        const char* said = nullptr;
        if (status == NATS_TIMEOUT && natsConnection_GetLastError(m_connection, &said) == NATS_NOT_PERMITTED)
            return Error{0, m_address.shown + " does not take what this host sends: " + said};
        if (status == NATS_NO_RESPONDERS || code == JSStreamNotFoundErr) m_hasStream = false;
        return away("it does not take a message: " + reasonOf(status));
    }

    Result<std::optional<Kept>> last(const std::string& subject) override
    {
        DSCOPE_CHECK(connect());
        DSCOPE_CHECK(makeStream());
        natsMsg* message = nullptr;
        jsErrCode code{};
        jsOptions options;
        jsOptions_Init(&options);
        options.Wait = kAnswerTimeout;
        const auto status = js_GetLastMsg(&message, m_js, m_stream.c_str(), subject.c_str(), &options, &code);
        const Message owner(message);
        if (status == NATS_NOT_FOUND || code == JSNoMessageFoundErr) return std::optional<Kept>();
        if (status != NATS_OK) return away("it does not say what it keeps: " + reasonOf(status));
        return std::optional(keptOf(message, natsMsg_GetSequence(message)));
    }

    Result<std::optional<Kept>> next(std::chrono::milliseconds timeout) override
    {
        DSCOPE_CHECK(connect());
        if (!m_subscription) DSCOPE_CHECK(subscribe());
        natsMsg* message = nullptr;
        const auto status = natsSubscription_NextMsg(&message, m_subscription, timeout.count());
        const Message owner(message);
        if (status == NATS_TIMEOUT) {
            DSCOPE_CHECK(look());
            return std::optional<Kept>();
        }
        if (status != NATS_OK) {
            unsubscribe();
            return away("it does not go on sending: " + reasonOf(status));
        }

        jsMsgMetaData* facts = nullptr;
        if (natsMsg_GetMetaData(&facts, message) != NATS_OK) return std::optional<Kept>();
        const Owned<jsMsgMetaData, jsMsgMetaData_Destroy> factsOwner(facts);
        m_seen = facts->Sequence.Stream;
        m_isBehind = false;
        return std::optional(keptOf(message, m_seen));
    }

    Result<bool> hasGivenAll() override
    {
        DSCOPE_CHECK(connect());
        DSCOPE_TRY(const auto newest, newestNumber());
        return m_subscription && m_seen >= newest;
    }

    std::size_t mostBytes() const override
    {
        constexpr std::int64_t kHeaders = 1024; // the server counts them, too
        const auto most = m_connection ? natsConnection_GetMaxPayload(m_connection) : 0;
        return static_cast<std::size_t>(std::max<std::int64_t>(most - kHeaders, kHeaders));
    }

private:
    static Kept keptOf(natsMsg* message, std::uint64_t number)
    {
        const auto* data = reinterpret_cast<const std::byte*>(natsMsg_GetData(message));
        return {natsMsg_GetSubject(message), number, Bytes(data, data + natsMsg_GetDataLength(message))};
    }

    natsStatus configure(natsOptions* options) const
    {
        std::vector<const char*> servers;
        for (const auto& server : m_address.servers)
            servers.push_back(server.c_str());
        natsStatus status = natsOptions_SetServers(options, servers.data(), static_cast<int>(servers.size()));
        const auto set = [&](natsStatus next) {
            if (status == NATS_OK) status = next;
        };
        const auto file = [](const std::string& name) { return name.empty() ? nullptr : name.c_str(); };
        set(natsOptions_SetName(options, "dscope"));
        set(natsOptions_SetTimeout(options, kConnectTimeout));
        set(natsOptions_SetMaxReconnect(options, -1));
        set(natsOptions_SetReconnectWait(options, kReconnectWait));
        set(natsOptions_SetFailRequestsOnDisconnect(options, true));
        if (!m_address.password.empty())
            set(natsOptions_SetUserInfo(options, m_address.user.c_str(), m_address.password.c_str()));
        else if (!m_address.user.empty())
            set(natsOptions_SetToken(options, m_address.user.c_str()));
        if (m_address.isSecure) set(natsOptions_SetSecure(options, true));
        if (!m_address.authorities.empty()) set(natsOptions_LoadCATrustedCertificates(options, m_address.authorities.c_str()));
        if (!m_address.certificate.empty())
            set(natsOptions_LoadCertificatesChain(options, m_address.certificate.c_str(), file(m_address.key)));
        if (!m_address.credentials.empty()) set(natsOptions_SetUserCredentialsFromFiles(options, m_address.credentials.c_str(), nullptr));
        // Errors of callbacks would be printed by the library.
        set(natsOptions_SetErrorHandler(
            options, [](natsConnection*, natsSubscription*, natsStatus, void*) {}, nullptr));
        return status;
    }

    Result<> connect()
    {
        if (m_connection && !natsConnection_IsClosed(m_connection)) {
            if (natsConnection_Status(m_connection) == NATS_CONN_STATUS_CONNECTED) return {};
            return away("the connection is lost");
        }
        disconnect();
        natsOptions* made = nullptr;
        if (const auto status = natsOptions_Create(&made); status != NATS_OK) return Error{0, reasonOf(status)};
        const Owned<natsOptions, natsOptions_Destroy> options(made);
        if (const auto status = configure(made); status != NATS_OK)
            return Error{0, "cannot connect to " + m_address.shown + ": " + reasonOf(status)};
        auto status = natsConnection_Connect(&m_connection, made);
        if (status == NATS_OK) status = natsConnection_JetStream(&m_js, m_connection, nullptr);
        if (status == NATS_OK) return {};
        const auto why = reasonOf(status);
        disconnect();
        if (isFinal(status)) return Error{0, "cannot connect to " + m_address.shown + ": " + why};
        return away("no server answers: " + why);
    }

    void disconnect()
    {
        unsubscribe();
        jsCtx_Destroy(m_js);
        m_js = nullptr;
        natsConnection_Destroy(m_connection);
        m_connection = nullptr;
        m_hasStream = false;
    }

    /// The stream of the run, with the settings that all rests on.
    Result<> makeStream()
    {
        if (m_hasStream) return {};
        const auto subject = subjects();
        const char* all = subject.c_str();
        jsStreamConfig config;
        jsStreamConfig_Init(&config);
        config.Name = m_stream.c_str();
        config.Description = "dscope: the last states of all hosts of a run";
        config.Subjects = &all;
        config.SubjectsLen = 1;
        config.MaxMsgsPerSubject = 1;
        config.Discard = js_DiscardOld;
        config.Storage = js_FileStorage;
        config.Replicas = m_address.replicas;
        jsStreamInfo* made = nullptr;
        jsErrCode code{};
        jsOptions options;
        jsOptions_Init(&options);
        options.Wait = kAnswerTimeout;
        auto status = js_GetStreamInfo(&made, m_js, m_stream.c_str(), &options, &code);
        if (status == NATS_NOT_FOUND || code == JSStreamNotFoundErr) status = js_AddStream(&made, m_js, &config, &options, &code);
        const Info info(made);
        if (status != NATS_OK) return away("it keeps no stream " + m_stream + ": " + reasonOf(status));
        if (info->Config->MaxMsgsPerSubject != 1)
            return Error{0,
                "stream " + m_stream + " of " + m_address.shown
                    + " keeps other than one message per subject: remove it, or name another run"};
        m_hasStream = true;
        return {};
    }

    Result<> subscribe()
    {
        jsSubOptions options;
        jsSubOptions_Init(&options);
        options.Stream = m_stream.c_str();
        options.Ordered = true;
        // After a break it goes on where it was, unless the stream was made anew.
        DSCOPE_TRY(const auto newest, newestNumber());
        const bool goesOn = m_seen > 0 && newest >= m_seen;
        if (!goesOn) m_seen = 0;
        options.Config.DeliverPolicy = goesOn ? js_DeliverByStartSequence : js_DeliverLastPerSubject;
        if (goesOn) options.Config.OptStartSeq = m_seen + 1;
        jsErrCode code{};
        const auto status = js_SubscribeSync(&m_subscription, m_js, subjects().c_str(), nullptr, &options, &code);
        if (status == NATS_OK) return {};
        m_subscription = nullptr;
        return away("it does not send what it keeps of run " + m_address.run + ": " + reasonOf(status));
    }

    void unsubscribe()
    {
        if (m_subscription) natsSubscription_Unsubscribe(m_subscription);
        natsSubscription_Destroy(m_subscription);
        m_subscription = nullptr;
        m_isBehind = false;
    }

    /// A server that was killed has forgotten whom it sends to: subscribes again when what it keeps does not come.
    Result<> look()
    {
        const auto now = std::chrono::steady_clock::now();
        if (now - m_looked < kLookEvery) return {};
        m_looked = now;
        DSCOPE_TRY(const auto newest, newestNumber());
        if (newest < m_seen || (newest > m_seen && m_isBehind))
            unsubscribe();
        else
            m_isBehind = newest > m_seen;
        return {};
    }

    Result<std::uint64_t> newestNumber()
    {
        jsStreamInfo* made = nullptr;
        jsErrCode code{};
        jsOptions options;
        jsOptions_Init(&options);
        options.Wait = kAnswerTimeout;
        const auto status = js_GetStreamInfo(&made, m_js, m_stream.c_str(), &options, &code);
        const Info info(made);
        if (status == NATS_NOT_FOUND || code == JSStreamNotFoundErr) return away("no host has sent anything of run " + m_address.run);
        if (status != NATS_OK) return away("it does not say what it keeps: " + reasonOf(status));
        return info->State.LastSeq;
    }

    std::string subjects() const { return "dscope." + m_address.run + ".>"; }

    const Address m_address;
    const std::string m_stream;
    natsConnection* m_connection = nullptr;
    jsCtx* m_js = nullptr;
    natsSubscription* m_subscription = nullptr;
    bool m_hasStream = false, m_isBehind = false;
    std::uint64_t m_seen = 0; ///< number of the last message
    std::chrono::steady_clock::time_point m_looked;
};
} // namespace
} // namespace dscope::remote

extern "C" __attribute__((visibility("default"))) dscope::remote::Broker* DSCOPE_NATS_FUNCTION(const dscope::remote::Address& address)
{
    return new dscope::remote::NatsBroker(address);
}
