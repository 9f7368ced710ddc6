import Foundation
import HTTPModel
import HTTPTransfer

/// A query as a request to GitHub.
struct SearchRequest {
    /// The version of GitHub's API.
    static let interfaceVersion = "2022-11-28"

    /// The cache key of the response.
    let cacheKey: ResponseCache.Key
    private let url: URL
    private let configuration: GitHubConfiguration

    init(_ query: RepositoryQuery, configuration: GitHubConfiguration) throws(GitHubError) {
        let address = configuration.baseAddress + query.target
        guard let url = URL(string: address) else {
            throw .invalidQuery("The search cannot be expressed as a URL.")
        }
        self.url = url
        self.configuration = configuration
        cacheKey = ResponseCache.Key(url: address, isAuthenticated: configuration.token != nil)
    }

    /// Returns the request to send.
    ///
    /// - Parameters:
    ///   - entityTag: The tag of a known response, for a conditional request (RFC 9110 §13.1.2).
    ///   - trace: The span for which the request is sent; nil if it belongs to no sampled trace.
    func transfer(unlessMatching entityTag: String?, in trace: TraceContext? = nil) -> TransferRequest {
        let fields: [(name: String, value: String?)] = [
            ("Accept", "application/vnd.github+json"), ("X-GitHub-Api-Version", Self.interfaceVersion),
            ("User-Agent", configuration.userAgent), ("Authorization", configuration.token?.authorization),
            ("If-None-Match", entityTag), ("Traceparent", trace?.traceparent),
            ("Tracestate", trace.flatMap { $0.state.isEmpty ? nil : $0.state }),
        ]
        let origin = configuration.origin
        return TransferRequest(
            url, fields: fields.compactMap { name, value in value.map { (name, $0) } },
            idleTimeout: configuration.idleTimeout, totalTimeout: configuration.totalTimeout,
            maxBytes: configuration.bodyLimit,
            // The request carries the token, which must not reach another origin.
            followsRedirect: { Origin($0) == origin })
    }
}
