// An operator, an account and a user of NATS, as `nsc` makes them: keys are Ed25519, written as nkeys, and what each may is a JWT that the
// one above has signed. Sources: nats-io/nkeys (prefixes, CRC-16 of XMODEM), nats-io/jwt v2 (claims), draft-ietf JWT (RFC 7519).
#pragma once
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>
#include <cstdint>
namespace dscope::tests {
class NatsAccount {
public:
    /// Keeps its keys in `folder`; needs openssl.
    explicit NatsAccount(const QString& folder)
        : m_folder(folder), m_operator(make("operator", 14)), m_account(make("account", 0)), m_system(make("system", 0)), m_user(make("user", 20))
    {
    }
    /// For nats-server's configuration.
    QString configuration() const
    {
        const QJsonObject limits{{"subs", -1}, {"data", -1}, {"payload", -1}, {"imports", -1}, {"exports", -1}, {"wildcards", true}, {"conn", -1}, {"leaf", -1}};
        auto all = limits;
        for (const auto* store : {"mem_storage", "disk_storage", "streams", "consumer"})
            all[store] = -1;
        const auto own = jwt(m_operator, m_operator, claims("operator"));
        const auto account = jwt(m_operator, m_account, claims("account", {{"limits", all}}));
        const auto system = jwt(m_operator, m_system, claims("account", {{"limits", limits}}));
        return QStringLiteral("operator: %1\nsystem_account: %2\nresolver: MEMORY\nresolver_preload: { %3: %4, %2: %5 }")
            .arg(own, m_system.shown, m_account.shown, account, system);
    }
    /// Writes the file that a user has, and gives its path.
    QString credentials() const
    {
        const auto user = jwt(m_account, m_user, claims("user", {{"subs", -1}, {"data", -1}, {"payload", -1}, {"pub", QJsonObject()}, {"sub", QJsonObject()}}));
        const auto path = m_folder + "/user.creds";
        write(path, ("-----BEGIN NATS USER JWT-----\n" + user + "\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n" + m_user.seed
                        + "\n------END USER NKEY SEED------\n")
                        .toUtf8());
        return path;
    }

private:
    struct Key {
        QString path, shown, seed;
    };
    static void write(const QString& path, const QByteArray& bytes)
    {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("cannot write %s", qPrintable(path));
    }
    static QByteArray openssl(const QStringList& arguments)
    {
        const auto run = runDscope(arguments, {}, "openssl");
        if (run.status != 0) qFatal("openssl: %s", run.err.constData());
        return run.out;
    }
    /// Base 32 without padding, of the bytes and their checksum.
    static QString nkey(QByteArray bytes)
    {
        std::uint32_t checksum = 0;
        for (const auto byte : bytes) {
            checksum ^= std::uint32_t{static_cast<std::uint8_t>(byte)} << 8U;
            for (int i = 0; i < 8; ++i)
                checksum = ((checksum & 0x8000U) != 0 ? (checksum << 1U) ^ 0x1021U : checksum << 1U) & 0xffffU;
        }
        bytes.append(static_cast<char>(checksum & 0xffU)).append(static_cast<char>(checksum >> 8U));
        QString text;
        std::uint32_t held = 0;
        int bits = 0;
        for (const auto byte : bytes) {
            held = held << 8U | static_cast<std::uint8_t>(byte);
            for (bits += 8; bits >= 5; bits -= 5)
                text += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[held >> (bits - 5U) & 31U];
            held &= (1U << bits) - 1U;
        }
        if (bits > 0) text += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[held << (5U - bits) & 31U];
        return text;
    }
    /// `kind`: the number that nkeys begin with.
    Key make(const QString& name, unsigned kind) const
    {
        constexpr unsigned kSeed = 18;
        constexpr qsizetype kSize = 32; // at the end of both DER files
        const auto path = m_folder + '/' + name + ".pem";
        openssl({"genpkey", "-algorithm", "ed25519", "-out", path});
        const auto secret = openssl({"pkey", "-in", path, "-outform", "DER"}).right(kSize);
        const auto open = openssl({"pkey", "-in", path, "-pubout", "-outform", "DER"}).right(kSize);
        const unsigned prefix = kind << 3U;
        const QByteArray one(1, static_cast<char>(prefix));
        const auto two = QByteArray(1, static_cast<char>(kSeed << 3U | prefix >> 5U)) + static_cast<char>((prefix & 31U) << 3U);
        return {path, nkey(one + open), nkey(two + secret)};
    }
    static QJsonObject claims(const char* type, QJsonObject more = {})
    {
        more["type"] = type;
        more["version"] = 2;
        return more;
    }
    QString jwt(const Key& signer, const Key& subject, const QJsonObject& what) const
    {
        const auto packed = [](const QByteArray& bytes) { return bytes.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals); };
        const QJsonObject all{{"jti", subject.shown}, {"iat", 1}, {"iss", signer.shown}, {"name", "dscope"}, {"sub", subject.shown}, {"nats", what}};
        const auto body = packed(R"({"typ":"JWT","alg":"ed25519-nkey"})") + '.' + packed(QJsonDocument(all).toJson(QJsonDocument::Compact));
        write(m_folder + "/signed", body);
        return QString::fromLatin1(body + '.' + packed(openssl({"pkeyutl", "-sign", "-rawin", "-inkey", signer.path, "-in", m_folder + "/signed"})));
    }

    QString m_folder;
    Key m_operator, m_account, m_system, m_user;
};
} // namespace dscope::tests
