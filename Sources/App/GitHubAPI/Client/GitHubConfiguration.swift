import Foundation

/// The service, credentials and limits of a ``GitHubClient``. Descriptions and dumps do not contain the token.
public struct GitHubConfiguration: Sendable {
    /// The base address of the public GitHub API.
    public static let publicAddress = "https://api.github.com"

    /// The base address of the API without a trailing slash, such as `https://api.github.com` or
    /// `https://github.example/api/v3`.
    public let baseAddress: String
    /// The value of `User-Agent`. GitHub rejects requests without one.
    public let userAgent: String
    /// The longest time without data before a request times out.
    public let idleTimeout: Duration
    /// The longest time for a complete response, including redirects.
    public let totalTimeout: Duration
    /// The largest body that the client accepts, in bytes after decompression.
    public let bodyLimit: Int
    /// The number of responses that are cached for `If-None-Match`. 0 disables the cache.
    public let cacheEntries: Int
    /// The total size of the bodies of cached responses, in bytes.
    public let cacheBytes: Int

    let token: AccessToken?
    let origin: Origin

    /// Creates a configuration and validates it.
    ///
    /// - Parameters:
    ///   - baseAddress: The base address of the API.
    ///   - token: The access token of a user or an app. It is sent only to the host of the base address.
    ///   - userAgent: The value of `User-Agent`.
    ///   - idleTimeout: The longest time without data.
    ///   - totalTimeout: The longest time for a complete response.
    ///   - bodyLimit: The largest body that the client accepts, in bytes.
    ///   - cacheEntries: The number of cached responses.
    ///   - cacheBytes: The total size of the bodies of cached responses, in bytes.
    /// - Throws: ``GitHubConfigurationError`` if the address is not an `http` or `https` address or has credentials, a
    ///   query or a fragment, if the token is invalid or would be sent unencrypted to another machine, or if another
    ///   value is out of bounds.
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
            throw GitHubConfigurationError("The base address must be an http or https URL, such as \(publicAddress).")
        }
        guard url.user() == nil, url.password() == nil, url.query() == nil, url.fragment() == nil else {
            throw GitHubConfigurationError(
                "The base address must consist of scheme, host, port and path only: no user, password, query or fragment."
            )
        }
        return origin
    }

    private static func accessToken(_ text: String?, to origin: Origin) throws(GitHubConfigurationError)
        -> AccessToken?
    {
        guard let text else { return nil }
        guard let token = AccessToken(text) else {
            throw GitHubConfigurationError(
                "The token must consist of visible ASCII characters. Leave it out to search without a token.")
        }
        guard origin.scheme == "https" || origin.isLoopback else {
            throw GitHubConfigurationError(
                "A token must not be sent over http to another machine (\(origin.host)). Use an https base address.")
        }
        return token
    }

    private func checkNumbers() throws(GitHubConfigurationError) {
        guard !userAgent.isEmpty, userAgent.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw GitHubConfigurationError("The user agent must consist of one or more printable ASCII characters.")
        }
        guard idleTimeout > .zero, totalTimeout > .zero else {
            throw GitHubConfigurationError("Timeouts must be greater than zero.")
        }
        guard bodyLimit > 0, cacheEntries >= 0, cacheBytes >= 0 else {
            throw GitHubConfigurationError(
                "The body limit must be positive, and the cache limits must not be negative.")
        }
    }
}
