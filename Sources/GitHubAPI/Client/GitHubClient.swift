public import CombineCore
public import Foundation
import FoundationNetworking
import Locking

/// Searches GitHub, or what answers like it, for repositories.
///
/// One client is made for the whole process and shared: it knows the rate limit of its token or address, and keeps
/// answers that GitHub confirms without counting them. It may be used from any thread. It never logs.
public final class GitHubClient: Sendable {
    /// Where and as whom this client asks.
    public let configuration: GitHubConfiguration

    private struct Memory {
        var rateLimit = RateLimit()
        var cache: ResponseCache
    }

    private let memory: Lock<Memory>
    private let session: TransferSession
    private let now: @Sendable () -> Date

    /// A client that has sent nothing yet.
    ///
    /// - Parameters:
    ///   - now: The wall clock, which GitHub's rate limit is told in.
    public init(configuration: GitHubConfiguration, now: @escaping @Sendable () -> Date = { Date() }) {
        self.configuration = configuration
        self.now = now
        memory = Lock(
            Memory(cache: ResponseCache(entryLimit: configuration.cacheEntries, byteLimit: configuration.cacheBytes)))
        session = TransferSession(totalTimeout: configuration.totalTimeout)
    }

    /// A page of results, asked for anew by each subscriber when it first demands a value.
    ///
    /// The page and the completion arrive on a thread of the client's; a request that the rate limit forbids fails on
    /// the subscriber's own thread, and nothing is sent. Cancelling the subscription cancels the request.
    public func searchRepositories(_ query: RepositoryQuery) -> AnyPublisher<RepositoryPage, GitHubError> {
        RepositorySearch(client: self, query: query).eraseToAnyPublisher()
    }

    /// Asks for a page.
    ///
    /// - Parameters:
    ///   - finish: Called once: before `search` returns if nothing is sent, otherwise on a thread of the client's or
    ///     inside the returned closure.
    /// - Returns: Cancels the request if it is still under way.
    func search(
        _ query: RepositoryQuery, finish: @escaping @Sendable (Result<RepositoryPage, GitHubError>) -> Void
    ) -> @Sendable () -> Void {
        do {
            let request = try SearchRequest(query, configuration: configuration)
            let cached = try admit(request)
            return session.send(
                request.urlRequest(unlessMatching: cached?.entityTag),
                as: Transfer(origin: configuration.origin, bodyLimit: configuration.bodyLimit)
            ) { [self] result in
                finish(read(result, of: query, request, cached))
            }
        } catch {
            finish(.failure(error))
            return {}
        }
    }

    /// Lets a request go unless the rate limit forbids it, and finds what may be confirmed.
    private func admit(_ request: SearchRequest) throws(GitHubError) -> ResponseCache.Entry? {
        try memory.withLock { memory throws(GitHubError) in
            switch memory.rateLimit.requestWanted(at: now()) {
            case .go: return memory.cache.entry(for: request.cacheKey)
            case .refused(let time): throw .rateLimited(until: time)
            }
        }
    }

    private func read(
        _ result: Result<Answer, TransferFailure>, of query: RepositoryQuery, _ request: SearchRequest,
        _ cached: ResponseCache.Entry?
    ) -> Result<RepositoryPage, GitHubError> {
        switch result {
        case .failure(let failure):
            memory.withLock { $0.rateLimit.requestFailed() }
            return .failure(failure.error(host: configuration.origin.host))
        case .success(let answer):
            let report = RateLimitReport(fields: answer.fields)
            let isRefusal = AnswerReader.isRateLimitRefusal(answer)
            let refusedUntil = memory.withLock {
                $0.rateLimit.answerArrived(report, isRefusal: isRefusal, at: now())
            }
            return Result { () throws(GitHubError) in
                let page = try AnswerReader(query: query, cached: cached).page(of: answer, refusedUntil: refusedUntil)
                remember(page, from: answer, as: request.cacheKey)
                return page
            }
        }
    }

    private func remember(_ page: RepositoryPage, from answer: Answer, as key: ResponseCache.Key) {
        guard answer.status == 200 else { return }
        memory.withLock { memory in
            if let tag = answer.fields["etag"] {
                memory.cache.remember(.init(entityTag: tag, page: page, byteCount: answer.body.count), for: key)
            } else {
                memory.cache.forget(key)
            }
        }
    }
}
