import HTTPModel

/// `/slow`: responds after `?seconds=`, by default after one second. Confined to one loop.
final class DelayedResponses {
    private let loop: any EventLoop
    private var waiting: [Int: (promise: DeferredResponse, timer: any EventLoopTimer)] = [:]
    private var next = 0

    init(loop: any EventLoop) {
        self.loop = loop
    }

    func respond(to request: HTTPRequest) throws(ProblemDetails) -> HTTPAnswer {
        let seconds = try request.number("seconds", in: 0...60, default: 1)
        let promise = DeferredResponse()
        let id = next
        next += 1
        let timer = loop.schedule(after: .milliseconds(Int(seconds * 1000))) { [weak self] in self?.finish(id) }
        waiting[id] = (promise, timer)
        return .deferred(promise)
    }

    /// Completes all pending responses immediately.
    func drain() {
        for (id, answer) in waiting {
            answer.timer.cancel()
            finish(id)
        }
    }

    private func finish(_ id: Int) {
        waiting.removeValue(forKey: id)?.promise.fulfil(
            HTTPResponse(
                status: .ok,
                fields: [
                    .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store",
                    .xContentTypeOptions: "nosniff",
                ], body: .bytes(Array("At last.\n".utf8))))
    }
}
