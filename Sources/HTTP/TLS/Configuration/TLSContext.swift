import COpenSSL

/// A validated configuration that is ready for connections: certificates have been parsed and keys checked. A
/// connection keeps its initial context.
///
/// Sendable: everything is set up before the initializer returns and only read afterwards. The library counts
/// references to its contexts and reads them from any thread.
public final class TLSContext: @unchecked Sendable {
    /// The configuration of the context.
    public let configuration: TLSConfiguration

    private let tickets: TLSTicketKeys
    // Allocated, because the callbacks return pointers into the list: its address must not change.
    /// The list of protocols in the format of the handshake (RFC 7301 §3.1).
    private let protocols: UnsafeMutableBufferPointer<UInt8>
    /// The library's I/O functions; see ``Transport``.
    let transport: OpaquePointer
    /// One context per set of identities that serve the same name. The first is for unknown names.
    private var contexts: [OpaquePointer] = []
    private var contextsByName: [String: OpaquePointer] = [:]

    /// Creates a context, or throws if the configuration is invalid. If it replaces another context, pass the same
    /// `tickets`, so that clients can resume their sessions.
    public init(_ configuration: TLSConfiguration, tickets: TLSTicketKeys) throws(TLSError) {
        guard !configuration.identities.isEmpty else {
            throw TLSError(.configuration, "Expected at least one certificate, got none.")
        }
        guard configuration.minimumVersion <= configuration.maximumVersion else {
            throw TLSError(.configuration, "The minimum TLS version is higher than the maximum version.")
        }
        self.configuration = configuration
        self.tickets = tickets
        let list = try TLSContext.wireFormat(of: configuration.protocols)
        protocols = .allocate(capacity: list.count)
        _ = protocols.initialize(from: list)
        transport = Transport.makeMethod()
        try makeContexts()
    }

    deinit {
        contexts.forEach(SSL_CTX_free)
        BIO_meth_free(transport)
        protocols.deallocate()
    }

    /// The context that a connection begins with, before the client has named a host.
    var initial: OpaquePointer { contexts[0] }

    package var hasHostNames: Bool { !contextsByName.isEmpty }

    /// Returns whether a certificate is for a host, in lower case.
    package func isFor(_ host: String) -> Bool { context(for: host) != nil }

    static func wireFormat(of protocols: [String]) throws(TLSError) -> [UInt8] {
        for name in protocols where name.utf8.isEmpty || name.utf8.count > 255 {
            throw TLSError(.configuration, "Expected a protocol name of 1 to 255 bytes, got \(name.utf8.count) bytes.")
        }
        return protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    }

    // Contexts

    private func makeContexts() throws(TLSError) {
        let identities = configuration.identities
        var made: [[Int]: OpaquePointer] = [:]
        func context(for members: [Int]) throws(TLSError) -> OpaquePointer {
            if let known = made[members] { return known }
            let context = try makeContext(members.map { identities[$0] })
            made[members] = context
            return context
        }
        // Identities with the same names as the first one are its counterparts with another type of key.
        let first = Set(identities[0].hostNames)
        _ = try context(for: identities.indices.filter { Set(identities[$0].hostNames) == first })
        for name in Set(identities.flatMap(\.hostNames)).sorted() {
            let members = identities.indices.filter { identities[$0].hostNames.contains(name) }
            contextsByName[name] = try context(for: members)
        }
    }

    private func makeContext(_ identities: [TLSIdentity]) throws(TLSError) -> OpaquePointer {
        guard let context = SSL_CTX_new(TLS_server_method()) else {
            throw .fromLibrary(.system, "A TLS context could not be created")
        }
        // Owned by this object from here on, even if something below throws.
        contexts.append(context)
        try setProtocol(of: context)
        setCallbacks(of: context)
        // The library uses the last identity of each key type, but the first one should be used.
        for identity in identities.reversed() { try TLSContext.use(identity, in: context) }
        try setClientCertificates(of: context)
        return context
    }

    private func setProtocol(of context: OpaquePointer) throws(TLSError) {
        let least = TLSContext.number(configuration.minimumVersion)
        let most = TLSContext.number(configuration.maximumVersion)
        guard granary_tls_set_versions(context, least, most) == 1,
            SSL_CTX_set_cipher_list(context, TLSConfiguration.ciphers) == 1, TLSContext.setSuites(of: context)
        else { throw .fromLibrary(.configuration, "The library does not support the configured versions or ciphers") }
        // The server's order of ciphers applies. The exception is a client that lists ChaCha20 first because its AES is
        // slow: it gets ChaCha20.
        SSL_CTX_set_options(context, granary_tls_options())
        // Both save memory or work per connection: an idle connection holds no buffers, and one read call returns a
        // whole record.
        granary_tls_release_buffers(context)
        granary_tls_read_ahead(context)
        granary_tls_disable_session_cache(context)
        // A second ticket would cost a fifteenth of a full handshake. A client that opens several connections gets a
        // ticket with each.
        SSL_CTX_set_num_tickets(context, 1)
        // Without it, the library refuses to resume sessions that began with another context of this server.
        let name = Array("granary".utf8)
        SSL_CTX_set_session_id_context(context, name, UInt32(name.count))
    }

    /// Allows the suites of TLS 1.3 and the groups; returns whether the library has them.
    static func setSuites(of context: OpaquePointer) -> Bool {
        SSL_CTX_set_ciphersuites(context, TLSConfiguration.suites) == 1
            && granary_tls_set_groups(context, TLSConfiguration.groups) == 1
    }

    private static func number(_ version: TLSConfiguration.Version) -> Int32 {
        switch version {
        case .v12: TLS1_2_VERSION
        case .v13: TLS1_3_VERSION
        }
    }

    static func use(_ identity: TLSIdentity, in context: OpaquePointer) throws(TLSError) {
        let chain = try Certificate.readAll(pem: identity.certificates)
        let key = try PrivateKey.read(pem: identity.privateKey)
        let issuers = granary_chain_new()
        defer { granary_chain_free(issuers) }
        for issuer in chain.dropFirst() {
            X509_up_ref(issuer.pointer)
            granary_chain_append(issuers, issuer.pointer)
        }
        guard SSL_CTX_use_cert_and_key(context, chain[0].pointer, key.pointer, issuers, 1) == 1 else {
            throw .fromLibrary(.certificate, "The certificate of \(chain[0].subject) could not be used")
        }
    }

    private func setClientCertificates(of context: OpaquePointer) throws(TLSError) {
        let issuers: [UInt8]
        let mode: Int32
        switch configuration.clientCertificates {
        case .none: return
        case .optional(let pem): (issuers, mode) = (pem, SSL_VERIFY_PEER)
        case .required(let pem): (issuers, mode) = (pem, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT)
        }
        for issuer in try TLSContext.trust(issuers, in: context)
        where SSL_CTX_add_client_CA(context, issuer.pointer) != 1 {
            throw .fromLibrary(.certificate, "The issuer \(issuer.subject) could not be added")
        }
        SSL_CTX_set_verify(context, mode, nil)
        // A session that is resumed keeps its certificate, which is not verified again: it may have expired since, or its issuer may no
        // longer be accepted.
        granary_tls_disable_tickets(context)
    }

    /// Accepts certificates of these issuers; returns them.
    static func trust(_ issuers: [UInt8], in context: OpaquePointer) throws(TLSError) -> [Certificate] {
        let issuers = try Certificate.readAll(pem: issuers)
        let store = SSL_CTX_get_cert_store(context)
        for issuer in issuers where X509_STORE_add_cert(store, issuer.pointer) != 1 {
            throw .fromLibrary(.certificate, "The issuer \(issuer.subject) could not be added")
        }
        return issuers
    }

    // Callbacks

    private func setCallbacks(of context: OpaquePointer) {
        // Unretained: a connection retains its context, and a callback runs only while a connection exists.
        let this = Unmanaged.passUnretained(self).toOpaque()
        granary_tls_set_context_data(context, Unmanaged.passUnretained(tickets).toOpaque())
        SSL_CTX_set_tlsext_ticket_key_evp_cb(context, TLSTicketKeys.callback)
        granary_tls_set_name_callback(
            context,
            { connection, _, argument in
                guard let argument else { return SSL_TLSEXT_ERR_NOACK }
                let context = Unmanaged<TLSContext>.fromOpaque(argument).takeUnretainedValue()
                return context.choose(for: connection)
            }, this)
        guard !protocols.isEmpty else { return }
        SSL_CTX_set_alpn_select_cb(
            context,
            { _, chosen, chosenLength, offered, offeredLength, argument in
                guard let argument, let chosen, let chosenLength else { return SSL_TLSEXT_ERR_NOACK }
                let context = Unmanaged<TLSContext>.fromOpaque(argument).takeUnretainedValue()
                var selected: UnsafeMutablePointer<UInt8>?
                let result = SSL_select_next_proto(
                    &selected, chosenLength, context.protocols.baseAddress, UInt32(context.protocols.count), offered,
                    offeredLength)
                guard result == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_ALERT_FATAL }
                chosen.pointee = UnsafePointer(selected)
                return SSL_TLSEXT_ERR_OK
            }, this)
    }

    /// Switches a connection to the certificates for the name that the client has requested.
    private func choose(for connection: OpaquePointer?) -> Int32 {
        guard let name = SSL_get_servername(connection, TLSEXT_NAMETYPE_host_name) else { return SSL_TLSEXT_ERR_NOACK }
        if let context = context(for: String(cString: name).lowercased()) { SSL_set_SSL_CTX(connection, context) }
        return SSL_TLSEXT_ERR_OK
    }

    private func context(for name: String) -> OpaquePointer? {
        if let exact = contextsByName[name] { return exact }
        // A wildcard matches one label (RFC 6125 §6.4.3).
        guard let dot = name.firstIndex(of: "."), dot != name.startIndex else { return nil }
        return contextsByName["*" + name[dot...]]
    }
}
