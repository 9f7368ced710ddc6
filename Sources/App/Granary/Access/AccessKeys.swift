import Access

/// The keys of access control: everything that can change while a server runs.
struct AccessKeys: Sendable {
    enum Source: Equatable, Sendable {
        /// The file of API keys.
        case apiKeys
        /// The keys of an issuer of tokens, by its place in the configuration.
        case issuer(Int)
        /// The keys that sign cookies and tickets.
        case signing
    }

    enum Content: Sendable {
        case apiKeys(APIKeyFile)
        case issuer(Int, KeySet)
        case signing(SigningKeys, count: Int)

        var count: Int {
            switch self {
            case .apiKeys(let file): file.entries.count
            case .issuer(_, let keys): keys.keys.count
            case .signing(_, let count): count
            }
        }
    }

    private let configuration: Configuration.AccessControl
    private(set) var apiKeys: APIKeyFile?
    private(set) var signing: SigningKeys?
    private(set) var verifier: TokenVerifier?
    private var issuers: [TokenIssuer]

    /// Creates the keys of a configuration, without any key.
    ///
    /// - Throws: If an issuer is invalid.
    init(_ configuration: Configuration.AccessControl) throws(OperatorError) {
        self.configuration = configuration
        issuers = []
        for issuer in configuration.tokenIssuers { issuers.append(try AccessKeys.issuer(issuer, keys: nil)) }
        try makeVerifier()
    }

    /// Uses the content of a source instead of the previous one.
    ///
    /// - Throws: If an issuer has no key for its algorithms. Then nothing changes.
    mutating func replace(with content: Content) throws(OperatorError) {
        switch content {
        case .apiKeys(let file): apiKeys = file
        case .signing(let keys, _): signing = keys
        case .issuer(let index, let keys):
            issuers[index] = try AccessKeys.issuer(configuration.tokenIssuers[index], keys: keys)
            try makeVerifier()
        }
    }

    private mutating func makeVerifier() throws(OperatorError) {
        guard !issuers.isEmpty else { return }
        do throws(AccessConfigurationError) {
            verifier = try TokenVerifier(issuers)
            verifier?.skew = configuration.tokenSkew
        } catch {
            throw OperatorError("access.jwt: \(error.description)")
        }
    }

    private static func issuer(
        _ configuration: Configuration.AccessControl.TokenIssuer, keys: KeySet?
    ) throws(OperatorError) -> TokenIssuer {
        do throws(AccessConfigurationError) {
            var issuer = try TokenIssuer(
                name: configuration.issuer, audiences: Set(configuration.audiences),
                algorithms: Set(configuration.algorithms.compactMap { TokenAlgorithm(rawValue: $0) }), keys: keys,
                types: Set(configuration.types))
            issuer.idClaim = configuration.idClaim
            issuer.requiresExpiry = configuration.requiresExpiry
            issuer.requiredClaims = configuration.requiredClaims.sorted { $0.key < $1.key }.map {
                TokenIssuer.RequiredClaim(name: $0.key, values: Set($0.value))
            }
            return issuer
        } catch {
            throw OperatorError("access.jwt: \(error.description)")
        }
    }
}
