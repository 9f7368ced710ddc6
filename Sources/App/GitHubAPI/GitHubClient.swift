public import CombineCore
public import Foundation
import HTTPModel
import HTTPTransfer
import Locking

/// A client for the repository search of GitHub and of services with the same interface.
///
/// Share one client within a process: it tracks the rate limit of its token or address, and caches responses, which GitHub
/// revalidates without counting the request against the limit. A client can be used from any thread. It never logs.
public final class GitHubClient: Sendable {
    private let configuration: GitHubConfiguration
    private let now: @Sendable () -> Date
    private let transfers = TransferClient()
    private let memory: Lock<(rateLimit: RateLimit, cache: ResponseCache)>

    /// Creates a client. `now` returns the wall-clock time, in which GitHub states its rate limits.
    public init(configuration: GitHubConfiguration, now: @escaping @Sendable () -> Date = { Date() }) {
        (self.configuration, self.now) = (configuration, now)
        let cache = ResponseCache(entryLimit: configuration.cacheEntries, byteLimit: configuration.cacheBytes)
        memory = Lock((RateLimit(), cache))
    }

    /// Returns a publisher of one page of results. It sends a request for each subscriber, on the first demand.
    ///
    /// The page and the completion arrive on a thread of the client. If the rate limit is used up, the publisher fails on the
    /// subscriber's thread without sending a request. Cancelling the subscription cancels the request. The request names the span for
    /// which the subscriber runs (`TraceContext.current`).
    public func searchRepositories(_ query: RepositoryQuery) -> AnyPublisher<RepositoryPage, GitHubError> {
        Deferred { [self] in
            var promise: Future<RepositoryPage, GitHubError>.Promise?
            let result = Future { promise = $0 }
            // The promise until the first demand, and the request in flight.
            let state = Lock((promise: promise, isCancelled: false, transfer: Transfer?.none))
            return result.handleEvents(
                receiveCancel: {
                    let transfer = state.withLock { state in
                        state.isCancelled = true
                        return state.transfer
                    }
                    transfer?.cancel()
                },
                receiveRequest: { [self] demand in
                    guard demand > .none, let promise = state.withLock({ $0.promise.take() }) else { return }
                    // A promise can be fulfilled on any thread, although its type does not say so.
                    let fulfill = UnsafeTransfer(promise)
                    let transfer = search(query) { fulfill.value($0) }
                    // The subscription can be cancelled before `search` has returned.
                    let isCancelled = state.withLock { state in
                        state.transfer = transfer
                        return state.isCancelled
                    }
                    if isCancelled { transfer?.cancel() }
                })
        }.eraseToAnyPublisher()
    }

    /// Requests a page. Returns the request in flight, if one is sent. `finish` receives the result exactly once: before `search`
    /// returns if no request is sent, otherwise on a thread of the client.
    private func search(
        _ query: RepositoryQuery, finish: @escaping @Sendable (Result<RepositoryPage, GitHubError>) -> Void
    ) -> Transfer? {
        do throws(GitHubError) {
            guard let url = URL(string: configuration.baseAddress + query.target) else {
                throw GitHubError(.invalidQuery, "The search cannot be expressed as a URL.")
            }
            let time = now()
            let cached = try memory.withLock { memory throws(GitHubError) in
                if let end = memory.rateLimit.requestWanted(at: time) { throw .rateLimited(until: end) }
                return memory.cache.entry(for: url)
            }
            return transfers.collect(request(url, unlessMatching: cached?.entityTag)) { [self] result in
                finish(Result { () throws(GitHubError) in try page(query.page, of: url, in: result, cached?.page) })
            }
        } catch {
            finish(.failure(error))
            return nil
        }
    }

    private func request(_ url: URL, unlessMatching entityTag: String?) -> TransferRequest {
        let trace = TraceContext.current
        let fields = [
            ("Accept", "application/vnd.github+json"), ("X-GitHub-Api-Version", "2022-11-28"),
            ("User-Agent", configuration.userAgent), ("Authorization", configuration.authorization()),
            ("If-None-Match", entityTag), ("Traceparent", trace?.traceparent),
            ("Tracestate", trace?.state.isEmpty == false ? trace?.state : nil),
        ]
        let origin = configuration.origin
        return TransferRequest(
            url, fields: fields.compactMap { name, value in value.map { (name, $0) } },
            idleTimeout: configuration.idleTimeout, totalTimeout: configuration.totalTimeout,
            maxBytes: configuration.bodyLimit,
            // The request carries the token, which must not reach another origin.
            followsRedirect: { Origin($0) == origin })
    }

    private func page(
        _ number: Int, of url: URL, in result: Result<TransferResponse, TransferFailure>, _ cached: RepositoryPage?
    ) throws(GitHubError) -> RepositoryPage {
        let response: TransferResponse
        do {
            response = try result.get()
        } catch {
            memory.withLock { $0.rateLimit.requestFailed() }
            throw GitHubError(error, host: configuration.origin.host)
        }
        let (isRateLimitError, time) = (response.isRateLimitError, now())
        let refusedUntil = memory.withLock {
            $0.rateLimit.responseReceived(isRateLimitError: isRateLimitError, at: time, field: response.field)
        }
        if let refusedUntil { throw .rateLimited(until: refusedUntil, status: response.head.status) }
        let page = try response.page(number, cached: cached)
        if response.head.status == 200 {
            let (entityTag, byteCount) = (response.field("etag"), response.body.count)
            memory.withLock { $0.cache.store(page, of: url, entityTag: entityTag, byteCount: byteCount) }
        }
        return page
    }
}

/// Pages that GitHub can confirm with a 304 instead of sending them again. The least recently used one is first.
private struct ResponseCache {
    typealias Entry = (url: URL, entityTag: String, page: RepositoryPage, byteCount: Int)

    let entryLimit: Int
    let byteLimit: Int
    var entries: [Entry] = []

    /// Returns a page and marks it as used.
    mutating func entry(for url: URL) -> Entry? {
        guard let index = entries.firstIndex(where: { $0.url == url }) else { return nil }
        entries.append(entries.remove(at: index))
        return entries.last
    }

    /// Replaces the page of a URL, whose body has a size that estimates the memory for the page. A page without an entity tag, or one
    /// larger than the whole cache, is not stored.
    mutating func store(_ page: RepositoryPage, of url: URL, entityTag: String?, byteCount: Int) {
        entries.removeAll { $0.url == url }
        guard let entityTag, entryLimit > 0, byteCount <= byteLimit else { return }
        entries.append((url, entityTag, page, byteCount))
        while entries.count > entryLimit || entries.reduce(0, { $0 + $1.byteCount }) > byteLimit {
            entries.removeFirst()
        }
    }
}
