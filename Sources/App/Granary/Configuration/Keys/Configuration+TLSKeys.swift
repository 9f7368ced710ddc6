extension Configuration {
    static let tlsKeys: [ConfigurationKey<Configuration>] = [
        ConfigurationKey(
            "tls.certificates", \.tls.certificates, .list,
            "PEM files, each with a certificate followed by its issuers. They enable TLS. The first certificate is also "
                + "used for unknown server names. The files are reloaded when they change and on SIGHUP."),
        ConfigurationKey(
            "tls.privateKeys", \.tls.privateKeys, .list, "The PEM files of the private keys, in the same order."),
        ConfigurationKey(
            "tls.selfSigned", \.tls.selfSigned, .boolean,
            "Whether to use a temporary self-signed certificate, for development. Its fingerprint is printed. Excludes "
                + "tls.certificates."),
        ConfigurationKey(
            "tls.port", \.tls.port, .number(in: 0...65535), "The TCP port for TLS. 0 selects any free port."),
        ConfigurationKey("tls.minimumVersion", \.tls.minimumVersion, .choice, "The lowest supported version of TLS."),
        ConfigurationKey(
            "tls.handshakeTimeout", \.tls.handshakeTimeout, .duration(in: .anyTime), "The timeout for a handshake."),
        ConfigurationKey(
            "tls.clientIssuers", \.tls.clientIssuers, .text,
            "A PEM file with the issuers of client certificates. If it is set, the server requests a certificate "
                + "from clients."),
        ConfigurationKey(
            "tls.requiresClientCertificate", \.tls.requiresClientCertificate, .boolean,
            "Whether clients without a certificate are rejected. Requires tls.clientIssuers."),
        ConfigurationKey(
            "tls.reloadInterval", \.tls.reloadInterval,
            .duration(in: .milliseconds(100)...Duration.seconds(86_400)),
            "The interval at which the files are checked for changes."),
        ConfigurationKey(
            "tls.redirectsCleartext", \.tls.redirectsCleartext, .boolean,
            "Whether cleartext requests are redirected to TLS with 308, except for health requests."),
        ConfigurationKey(
            "tls.publicPort", \.tls.publicPort, .number(in: 0...65535),
            "The port of these redirects, if clients connect to a port other than the server's. 0 selects tls.port."),
        ConfigurationKey(
            "tls.strictTransportSecurity", \.tls.strictTransportSecurity,
            .duration(in: .zero...Duration.seconds(86_400 * 730)),
            "How long browsers must use only TLS (Strict-Transport-Security). 0s disables the field."),
    ]
}
