import Access
import HTTPModel
import Locking

// The program's own authentication.
extension SessionShard {
    /// Returns the cause for which a request waits if it must not overtake others of its connection; nil if it may overtake all.
    private func line(of request: HTTPRequest, _ route: Route) -> PendingRequests.Cause? {
        // The peer is retained by the requests that wait.
        route.session.map { .connection(ObjectIdentifier(request.peer.proxy ?? request.peer), $0) }
    }

    /// Queues a request behind others of its connection for the same session that are not decided yet. Returns nil if no such
    /// request waits.
    func joinLine(
        _ request: HTTPRequest, _ context: RequestContext, _ authentication: Authentication
    ) -> HTTPAnswer? {
        guard let line = line(of: request, context.route), pending.contains(line) else { return nil }
        let waiting = PendingRequest(request, context, resumingAt: .authenticate)
        waiting.decide(.success(authentication))
        wait(waiting, for: line)
        return .deferred(waiting.promise)
    }

    /// Queues a request until the program has decided who it comes from.
    func decide(_ decision: PendingAuthentication, _ request: HTTPRequest, _ context: RequestContext) -> HTTPAnswer {
        loop.assertCurrent()
        let waiting = PendingRequest(request, context, resumingAt: .authenticate)
        // Requests of a connection for one session run in the order of their arrival.
        let cause = line(of: request, context.route) ?? pending.nextAnswer()
        guard wait(waiting, for: cause) else { return .deferred(waiting.promise) }
        let timer = loop.schedule(after: decision.timeout) { [backReference] in
            let problem = ProblemDetails.unavailable("the authentication takes too long", retryAfter: 5)
            backReference.shard?.wasDecided(waiting, .failure(problem), for: cause)
        }
        // The shard may no longer exist when the closure returns.
        let passed = UnsafeTransfer((waiting: waiting, timer: timer, shard: backReference))
        Task(executorPreference: loop.taskExecutor ?? AuthenticationExecutor.shared) { [loop] in
            let authentication = await decision.result()
            loop.execute(for: WorkSource(passed.value.waiting.request.peer)) {
                passed.value.timer.cancel()
                passed.value.shard.shard?.wasDecided(passed.value.waiting, .success(authentication), for: cause)
            }
        }
        return .deferred(waiting.promise)
    }

    private func wasDecided(
        _ waiting: PendingRequest, _ result: Result<Authentication, ProblemDetails>, for cause: PendingRequests.Cause
    ) {
        loop.assertCurrent()
        waiting.decide(result)
        while let next = pending.takeDecided(cause) { resume(next) }
    }
}
