import HTTPModel

/// A responder that is made of closures.
final class ClosureResponder: HTTPResponder {
    private let loop: any EventLoop
    private let place: @Sendable (HTTPRequest) -> Int?
    private let end: @Sendable (any EventLoop) -> Void
    private let answer: HTTPTestServer.Respond

    init(
        loop: any EventLoop, placement: @escaping @Sendable (HTTPRequest) -> Int?,
        drain: @escaping @Sendable (any EventLoop) -> Void, respond: @escaping HTTPTestServer.Respond
    ) {
        self.loop = loop
        place = placement
        end = drain
        answer = respond
    }

    func placement(of request: HTTPRequest) -> Int? { place(request) }

    func respond(to request: HTTPRequest) -> HTTPAnswer { answer(request, loop) }

    func drain() { end(loop) }
}
