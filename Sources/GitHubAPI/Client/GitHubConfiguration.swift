import Foundation

/// Where a ``GitHubClient`` asks, as whom, and how much it takes. Describing or dumping it does not show the token.
public struct GitHubConfiguration: Sendable {
    /// The public GitHub's interface.
    public static let publicAddress = "https://api.github.com"

    /// The API's base address without a slash at its end, `https://api.github.com` or `https://github.example/api/v3`.
    public let baseAddress: String
    /// What the client calls itself; GitHub refuses requests without a name.
    public let userAgent: String
    /// The longest silence before an answer counts as timed out.
    public let idleTimeout: Duration
    /// The longest time that a whole answer may take, redirects included.
    public let totalTimeout: Duration
    /// The largest body that is read, in bytes after decompression.
    public let bodyLimit: Int
    /// How many answers are kept for `If-None-Match`; 0 keeps none.
    public let cacheEntries: Int
    /// How many bytes of bodies the kept answers stand for at the most.
    public let cacheBytes: Int

    let token: AccessToken?
    let origin: Origin

    /// Checks a configuration.
    ///
    /// - Parameters:
    ///   - token: A personal access token or an app's; it is sent to the base address's host and to no other.
    /// - Throws: ``GitHubConfigurationError`` that names what is wrong: an address that is not of the web or carries
    ///   credentials, a query or a fragment; a token that cannot be one, or that would travel unencrypted to another
    ///   machine; a name, time or limit that makes no sense.
    public init(
        baseAddress: String = GitHubConfiguration.publicAddress, token: String? = nil, userAgent: String = "granary",
        idleTimeout: Duration = .seconds(10), totalTimeout: Duration = .seconds(30), bodyLimit: Int = 8 << 20,
        cacheEntries: Int = 128, cacheBytes: Int = 16 << 20
    ) throws(GitHubConfigurationError) {
        self.baseAddress = String(baseAddress.reversed().drop { $0 == "/" }.reversed())
        self.userAgent = userAgent
        self.idleTimeout = idleTimeout
        self.totalTimeout = totalTimeout
        self.bodyLimit = bodyLimit
        self.cacheEntries = cacheEntries
        self.cacheBytes = cacheBytes
        origin = try Self.origin(ofBase: baseAddress)
        self.token = try Self.accessToken(token, to: origin)
        try checkNumbers()
    }

    private static func origin(ofBase address: String) throws(GitHubConfigurationError) -> Origin {
        guard let url = URL(string: address), let origin = Origin(url) else {
            throw GitHubConfigurationError("The base address has to be an http or https address, as \(publicAddress).")
        }
        guard url.user() == nil, url.password() == nil, url.query() == nil, url.fragment() == nil else {
            throw GitHubConfigurationError(
                "The base address must have no user, password, query or fragment: only scheme, host, port and path.")
        }
        return origin
    }

    private static func accessToken(_ text: String?, to origin: Origin) throws(GitHubConfigurationError)
        -> AccessToken?
    {
        guard let text else { return nil }
        guard let token = AccessToken(text) else {
            throw GitHubConfigurationError(
                "The token is empty or has characters other than visible ASCII; leave it out to search without one.")
        }
        guard origin.scheme == "https" || origin.isLoopback else {
            throw GitHubConfigurationError("A token is not sent over http to another machine (\(origin.host)).")
        }
        return token
    }

    private func checkNumbers() throws(GitHubConfigurationError) {
        guard !userAgent.isEmpty, userAgent.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw GitHubConfigurationError("The user agent has to be visible ASCII, GitHub refuses an empty one.")
        }
        guard idleTimeout > .zero, totalTimeout > .zero else {
            throw GitHubConfigurationError("Timeouts have to be longer than nothing.")
        }
        guard bodyLimit > 0, cacheEntries >= 0, cacheBytes >= 0 else {
            throw GitHubConfigurationError("The limits of body and cache must not be negative, the body's not 0.")
        }
    }
}
