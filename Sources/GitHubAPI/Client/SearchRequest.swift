import Foundation
import FoundationNetworking

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

    /// Returns the request to send. With an entity tag, it is a conditional request (RFC 9110 §13.1.2).
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
    /// The duration in seconds.
    var timeInterval: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18
    }
}
