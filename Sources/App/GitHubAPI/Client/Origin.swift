package import Foundation

/// The scheme, host and port of a URL (RFC 6454), which determine the receiver of a request and its token.
package struct Origin: Hashable, Sendable {
    /// `http` or `https`.
    package let scheme: String
    /// The host in lower case, an IPv6 address without brackets.
    package let host: String
    /// The port, or the default port of the scheme if the URL has none.
    package let port: Int

    /// Creates the origin of a URL. Returns `nil` if it is not an `http` or `https` URL.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), url.isOnTheWeb, let host = url.host(), !host.isEmpty else {
            return nil
        }
        self.scheme = scheme
        self.host = host.lowercased().trimmingCharacters(in: ["[", "]"])
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// Whether the host is a loopback address.
    package var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.") && host.allSatisfy { $0 == "." || $0.isNumber }
    }
}
