import Foundation
import FoundationNetworking

/// A query as it goes to GitHub.
struct SearchRequest {
    /// The version of the interface that the answers are read as.
    static let interfaceVersion = "2022-11-28"

    /// What the answer is remembered under.
    let cacheKey: ResponseCache.Key
    private let url: URL
    private let configuration: GitHubConfiguration

    init(_ query: RepositoryQuery, configuration: GitHubConfiguration) throws(GitHubError) {
        let address = configuration.baseAddress + query.target
        guard let url = URL(string: address) else {
            throw .invalidQuery("The search cannot be written as an address.")
        }
        self.url = url
        self.configuration = configuration
        cacheKey = ResponseCache.Key(url: address, isAuthenticated: configuration.token != nil)
    }

    /// The request to send; with a tag it asks for the content only if that has changed (RFC 9110 §13.1.2).
    func urlRequest(unlessMatching entityTag: String?) -> URLRequest {
        var request = URLRequest(url: url)
        request.cachePolicy = .reloadIgnoringLocalCacheData
        request.timeoutInterval = configuration.idleTimeout.timeInterval
        request.setValue("application/vnd.github+json", forHTTPHeaderField: "Accept")
        request.setValue(Self.interfaceVersion, forHTTPHeaderField: "X-GitHub-Api-Version")
        request.setValue(configuration.userAgent, forHTTPHeaderField: "User-Agent")
        request.setValue(configuration.token?.authorization, forHTTPHeaderField: "Authorization")
        request.setValue(entityTag, forHTTPHeaderField: "If-None-Match")
        return request
    }
}

extension Duration {
    /// The duration in seconds, as Foundation counts.
    var timeInterval: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18
    }
}
