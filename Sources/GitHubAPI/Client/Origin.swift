package import Foundation

/// The scheme, host and port of an address (RFC 6454): who gets a request, and with it the token.
package struct Origin: Hashable, Sendable {
    /// `http` or `https`.
    package let scheme: String
    /// The host in lower case; an IPv6 address without its brackets.
    package let host: String
    /// The port, also where the address leaves it out.
    package let port: Int

    /// The origin of an address, `nil` if it is not one of the web.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), url.isOnTheWeb, let host = url.host(), !host.isEmpty else {
            return nil
        }
        self.scheme = scheme
        self.host = host.lowercased().trimmingCharacters(in: ["[", "]"])
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// Whether what is sent there stays on this machine.
    package var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.") && host.allSatisfy { $0 == "." || $0.isNumber }
    }
}
