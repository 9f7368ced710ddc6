import Foundation
import HTTPModel

/// The reason why a ``GitHubConfiguration`` is invalid. The description contains no secrets.
public struct GitHubConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reason, as a sentence.
    public let description: String
}

/// The service, credentials and limits of a ``GitHubClient``. Descriptions and dumps do not contain the token.
public struct GitHubConfiguration: Sendable {
    /// The base address of the public GitHub API.
    public static let publicAddress = "https://api.github.com"

    /// The base address of the API without a trailing slash, such as `https://github.example/api/v3`.
    public let baseAddress: String
    /// The value of `User-Agent`. GitHub rejects requests without one.
    public let userAgent: String
    /// The longest times without data, and for a complete response including redirects.
    public let idleTimeout, totalTimeout: Duration
    /// The largest body that the client accepts, in bytes after decompression.
    public let bodyLimit: Int
    /// The number of responses that are cached for `If-None-Match`, and the sum of the sizes of their bodies. 0 disables the cache.
    public let cacheEntries, cacheBytes: Int

    let origin: Origin
    /// Returns the value of `Authorization`. A function, because descriptions and dumps do not show what it captures.
    let authorization: @Sendable () -> String?

    /// Creates a configuration and validates it. The token is sent only to the origin of the base address.
    ///
    /// - Throws: ``GitHubConfigurationError`` if the address is not an `http` or `https` address or has credentials, a query or a
    ///   fragment, if the token is invalid or would be sent unencrypted to another machine, or if another value is out of bounds.
    public init(
        baseAddress: String = GitHubConfiguration.publicAddress, token: String? = nil, userAgent: String = "granary",
        idleTimeout: Duration = .seconds(10), totalTimeout: Duration = .seconds(30), bodyLimit: Int = 8 << 20,
        cacheEntries: Int = 128, cacheBytes: Int = 16 << 20
    ) throws(GitHubConfigurationError) {
        func check(_ isValid: Bool, _ reason: String) throws(GitHubConfigurationError) {
            guard isValid else { throw GitHubConfigurationError(description: reason) }
        }
        guard let url = URL(string: baseAddress), let origin = Origin(url) else {
            throw GitHubConfigurationError(
                description: "The base address must be an http or https URL, such as \(Self.publicAddress).")
        }
        try check(
            url.user() == nil && url.password() == nil && url.query() == nil && url.fragment() == nil,
            "The base address must consist of scheme, host, port and path only: no user, password, query or fragment.")
        try check(
            token.map { !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } } ?? true,
            "The token must consist of visible ASCII characters. Leave it out to search without a token.")
        try check(
            token == nil || origin.scheme == "https" || origin.isLoopback,
            "A token must not be sent over http to another machine (\(origin.host)). Use an https base address.")
        try check(
            !userAgent.isEmpty && userAgent.utf8.allSatisfy { (0x20...0x7E).contains($0) },
            "The user agent must consist of one or more printable ASCII characters.")
        try check(
            idleTimeout > .zero && totalTimeout > .zero && bodyLimit > 0 && cacheEntries >= 0 && cacheBytes >= 0,
            "Timeouts and the body limit must be greater than zero, and the cache limits must not be negative.")
        self.baseAddress = String(baseAddress.reversed().drop { $0 == "/" }.reversed())
        (self.userAgent, self.idleTimeout, self.totalTimeout) = (userAgent, idleTimeout, totalTimeout)
        (self.bodyLimit, self.cacheEntries, self.cacheBytes) = (bodyLimit, cacheEntries, cacheBytes)
        (self.origin, authorization) = (origin, { token.map { "Bearer \($0)" } })
    }
}

/// The scheme, host and port of a URL (RFC 6454), which determine the receiver of a request and its token.
struct Origin: Equatable {
    let scheme, host: String
    let port: Int

    /// Creates the origin of a URL. Returns `nil` if it is not an `http` or `https` URL with a host.
    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let standardPort = ["http": 80, "https": 443][scheme],
            let host = url.host()?.lowercased().trimmingCharacters(in: ["[", "]"]), !host.isEmpty
        else { return nil }
        (self.scheme, self.host, port) = (scheme, host, url.port ?? standardPort)
    }

    var isLoopback: Bool { host == "localhost" || NumericAddress(host)?.isLoopback == true }
}
