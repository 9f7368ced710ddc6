import Access
import HTTPModel
import Locking

// The program's own authentication.
extension SessionShard {
    /// Returns what a request waits for if it must not overtake others of its connection; nil if it may overtake all.
    func connectionLine(of request: HTTPRequest, _ route: Route) -> PendingRequests.Cause? {
        // The peer is retained by the requests that wait.
        route.session.map { .connection(ObjectIdentifier(request.peer.proxy ?? request.peer), $0) }
    }

    /// Has a request wait until the program has decided who it comes from.
    ///
    /// - Parameter line: The requests of its connection for the same session, which run in the order of their arrival; nil if it names none.
    func decide(
        _ decision: PendingAuthentication, _ line: PendingRequests.Cause?, _ request: HTTPRequest,
        _ context: RequestContext
    ) -> HTTPAnswer {
        let waiting = PendingRequest(request, context, resumingAt: .authenticate)
        let cause = line ?? pending.nextAnswer()
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
        waiting.decide(result)
        while let next = pending.takeDecided(cause) { resume(next) }
    }
}
