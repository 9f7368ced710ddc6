public import CombineCore
public import Foundation
import HTTPModel
import HTTPTransfer
import Locking

/// A client for the repository search of GitHub and of services with the same interface.
///
/// Share one client within a process: it tracks the rate limit of its token or address, and caches responses, which
/// GitHub revalidates without counting the request against the limit. A client can be used from any thread. It never
/// logs.
public final class GitHubClient: Sendable {
    /// The service, the credentials and the limits of this client.
    public let configuration: GitHubConfiguration

    private struct Memory {
        var rateLimit = RateLimit()
        var cache: ResponseCache
    }

    private let memory: Lock<Memory>
    private let transfers = TransferClient()
    private let now: @Sendable () -> Date

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - configuration: The service, the credentials and the limits.
    ///   - now: Returns the wall-clock time, in which GitHub states its rate limits.
    public init(configuration: GitHubConfiguration, now: @escaping @Sendable () -> Date = { Date() }) {
        self.configuration = configuration
        self.now = now
        memory = Lock(
            Memory(cache: ResponseCache(entryLimit: configuration.cacheEntries, byteLimit: configuration.cacheBytes)))
    }

    /// Returns a publisher of one page of results. It sends a request for each subscriber, on the first demand.
    ///
    /// The page and the completion arrive on a thread of the client. If the rate limit is used up, the publisher fails
    /// on the subscriber's thread without sending a request. Cancelling the subscription cancels the request. The request names the span
    /// for which the subscriber runs (`TraceContext.current`).
    public func searchRepositories(_ query: RepositoryQuery) -> AnyPublisher<RepositoryPage, GitHubError> {
        RepositorySearch(client: self, query: query).eraseToAnyPublisher()
    }

    /// Requests a page.
    ///
    /// - Parameters:
    ///   - query: The page to request.
    ///   - finish: Receives the result exactly once: before `search` returns if no request is sent, otherwise on a
    ///     thread of the client.
    /// - Returns: A closure that cancels the request if it is in flight.
    func search(
        _ query: RepositoryQuery, finish: @escaping @Sendable (Result<RepositoryPage, GitHubError>) -> Void
    ) -> @Sendable () -> Void {
        do {
            let request = try SearchRequest(query, configuration: configuration)
            let cached = try admit(request)
            let sent = request.transfer(unlessMatching: cached?.entityTag, in: TraceContext.current)
            let transfer = transfers.collect(sent) { [self] result in
                finish(read(result, of: query, request, cached))
            }
            return { transfer.cancel() }
        } catch {
            finish(.failure(error))
            return {}
        }
    }

    /// Counts a request against the rate limit and returns the cached response that it can revalidate.
    private func admit(_ request: SearchRequest) throws(GitHubError) -> ResponseCache.Entry? {
        try memory.withLock { memory throws(GitHubError) in
            switch memory.rateLimit.requestWanted(at: now()) {
            case .go: return memory.cache.entry(for: request.cacheKey)
            case .refused(let time): throw .rateLimited(until: time)
            }
        }
    }

    private func read(
        _ result: Result<TransferResponse, TransferFailure>, of query: RepositoryQuery, _ request: SearchRequest,
        _ cached: ResponseCache.Entry?
    ) -> Result<RepositoryPage, GitHubError> {
        switch result {
        case .failure(let failure):
            memory.withLock { $0.rateLimit.requestFailed() }
            return .failure(GitHubError(failure, host: configuration.origin.host))
        case .success(let received):
            let response = Response(received)
            let report = RateLimitReport(fields: response.fields)
            let isRateLimitError = ResponseReader.isRateLimitError(response)
            let refusedUntil = memory.withLock {
                $0.rateLimit.responseReceived(report, isRateLimitError: isRateLimitError, at: now())
            }
            return Result { () throws(GitHubError) in
                let page = try ResponseReader(query: query, cached: cached).page(
                    of: response, refusedUntil: refusedUntil)
                remember(page, from: response, as: request.cacheKey)
                return page
            }
        }
    }

    private func remember(_ page: RepositoryPage, from response: Response, as key: ResponseCache.Key) {
        guard response.status == 200 else { return }
        memory.withLock { memory in
            if let tag = response.fields["etag"] {
                memory.cache.remember(.init(entityTag: tag, page: page, byteCount: response.body.count), for: key)
            } else {
                memory.cache.forget(key)
            }
        }
    }
}
