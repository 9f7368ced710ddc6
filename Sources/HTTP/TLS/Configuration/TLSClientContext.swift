import COpenSSL

/// The TLS settings of a client that connects to servers of the same operator, such as other nodes: TLS 1.3, and
/// certificates of configured issuers on both sides. It never accepts a server without verifying its name.
///
/// Sendable: everything is set up before the initializer returns and only read afterwards. The library counts
/// references to its contexts and reads them from any thread.
public final class TLSClientContext: @unchecked Sendable {
    let pointer: OpaquePointer
    /// The library's I/O functions; see ``Transport``.
    let transport: OpaquePointer

    /// Creates a context, or throws if a setting is invalid.
    ///
    /// - Parameters:
    ///   - identity: The certificate that the client presents; `nil` for none.
    ///   - issuers: The issuers of the servers' certificates, in PEM. Those of the system are not accepted.
    ///   - protocols: The application protocols to offer (ALPN, RFC 7301). A server may select none, so check
    ///     ``TLSConnection/applicationProtocol``.
    public init(identity: TLSIdentity?, issuers: [UInt8], protocols: [String] = ["h2"]) throws(TLSError) {
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw .fromLibrary(.system, "A TLS context could not be created")
        }
        pointer = context
        transport = Transport.makeMethod()
        let list = try TLSContext.wireFormat(of: protocols)
        // Other than elsewhere in the library, 0 means success.
        guard granary_tls_set_versions(context, TLS1_3_VERSION, TLS1_3_VERSION) == 1, TLSContext.setSuites(of: context),
            SSL_CTX_set_alpn_protos(context, list, UInt32(list.count)) == 0
        else { throw .fromLibrary(.configuration, "The library does not support TLS 1.3 or the protocols") }
        granary_tls_release_buffers(context)
        granary_tls_read_ahead(context)
        if let identity { try TLSContext.use(identity, in: context) }
        _ = try TLSContext.trust(issuers, in: context)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    }

    deinit {
        SSL_CTX_free(pointer)
        BIO_meth_free(transport)
    }
}
