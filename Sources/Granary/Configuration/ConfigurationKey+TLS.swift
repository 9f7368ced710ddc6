extension ConfigurationKey {
    /// The keys of HTTP/2. What is not named here is shared with HTTP/1.1.
    static let http2: [ConfigurationKey] = [
        ConfigurationKey(
            "http2.cleartext", \.http2.cleartext,
            "Whether clients that begin with HTTP/2 on the cleartext port are served. Over TLS both sides agree on it."),
        ConfigurationKey(
            "http2.maxStreams", \.http2.maxStreams, 1...100_000, "Requests that one connection may have under way."),
        ConfigurationKey(
            "http2.maxUnfinishedBodyBytes", \.http2.maxUnfinishedBodyBytes, anySize,
            "Bytes of all requests of one connection that have not come whole; more get the request refused."),
        ConfigurationKey(
            "http2.maxHeaderBlockBytes", \.http2.maxHeaderBlockBytes, anySize,
            "Bytes of one compressed head; more end the connection."),
        ConfigurationKey(
            "http2.maxContinuations", \.http2.maxContinuations, 0...1000,
            "Further frames that one head may be spread over; more end the connection."),
        ConfigurationKey(
            "http2.maxQueuedFrames", \.http2.maxQueuedFrames, 1...1_000_000,
            "Answers to pings, settings and errors that may wait for a client to read them; more end the connection."),
        ConfigurationKey(
            "http2.maxWorklessFrames", \.http2.maxWorklessFrames, 1...anyCount.upperBound,
            "Frames that may come at once with no work that comes of them; more end the connection."),
        ConfigurationKey(
            "http2.worklessFramesPerSecond", \.http2.worklessFramesPerSecond, 0...anyCount.upperBound,
            "How many of those are forgotten in a second."),
        ConfigurationKey(
            "http2.maxResets", \.http2.maxResets, 1...anyCount.upperBound,
            "Requests that may be broken off at once, by either side, before they are answered; more end the connection."
        ),
        ConfigurationKey(
            "http2.resetsPerSecond", \.http2.resetsPerSecond, 0...anyCount.upperBound,
            "How many of those are forgotten in a second."),
        ConfigurationKey(
            "http2.maxAge", \.http2.maxAge, anyTime,
            "The age at which a connection takes no more requests, less a random part so that not all come back at once."
        ),
    ]

    /// The keys of TLS.
    static let tls: [ConfigurationKey] = [
        ConfigurationKey(
            "tls.certificates", \.tls.certificates,
            "Files with a certificate in PEM each, its issuers behind it. TLS is spoken as soon as there is one; the first "
                + "also serves clients that ask for an unknown name. They are read again when they change, and on SIGHUP."
        ),
        ConfigurationKey(
            "tls.privateKeys", \.tls.privateKeys, "The files with their private keys in PEM, in the same order."),
        ConfigurationKey(
            "tls.selfSigned", \.tls.selfSigned,
            "Speak TLS with a certificate that is made at the start, for development. Its fingerprint is printed."),
        ConfigurationKey(
            "tls.port", \.tls.port, 0...65535, "The TCP port to speak TLS on; 0 lets the system choose a free one."),
        ConfigurationKey("tls.minimumVersion", \.tls.minimumVersion, "The oldest version of TLS that is spoken."),
        ConfigurationKey(
            "tls.handshakeTimeout", \.tls.handshakeTimeout, anyTime, "How long a handshake may take."),
        ConfigurationKey(
            "tls.clientIssuers", \.tls.clientIssuers,
            "A file with the certificates in PEM that issue those of clients. Clients are asked for theirs if it is set."
        ),
        ConfigurationKey(
            "tls.requiresClientCertificate", \.tls.requiresClientCertificate,
            "Whether clients without a certificate are turned away, where clients are asked for theirs."),
        ConfigurationKey(
            "tls.reloadInterval", \.tls.reloadInterval, Duration.milliseconds(100)...Duration.seconds(86_400),
            "How often is looked whether the files have changed."),
        ConfigurationKey(
            "tls.redirectsCleartext", \.tls.redirectsCleartext,
            "Whether requests in cleartext are sent on to TLS with 308; those for the server's health are answered."),
        ConfigurationKey(
            "tls.publicPort", \.tls.publicPort, 0...65535,
            "The port that they are sent on to, where another one stands in front; 0 for tls.port."),
        ConfigurationKey(
            "tls.strictTransportSecurity", \.tls.strictTransportSecurity,
            Duration.zero...Duration.seconds(86_400 * 730),
            "How long browsers are told to use TLS only (`Strict-Transport-Security`); 0s tells them nothing."),
    ]
}
