import CombineCore

/// The values of a publisher as a sequence that buffers them without a limit. It subscribes to the publisher on
/// creation.
struct PublishedElements<Element: Sendable> {
    let elements: AsyncThrowingStream<Element, any Error>
    let subscription: PublisherSubscription

    init<P: Publisher>(_ publisher: P) where P.Output == Element {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Element.self, throwing: (any Error).self)
        elements = stream
        let token = publisher.sink(
            receiveCompletion: { completion in
                switch completion {
                case .finished: continuation.finish()
                case .failure(let error): continuation.finish(throwing: error)
                }
            }, receiveValue: { continuation.yield($0) })
        subscription = PublisherSubscription(token)
    }
}

/// A subscription to a publisher.
///
/// Unchecked because the token is only cancelled, which is allowed from any thread.
final class PublisherSubscription: Disposable, @unchecked Sendable {
    private let token: AnyCancellable
    private let flag = AnyDisposable {}

    init(_ token: AnyCancellable) {
        self.token = token
    }

    var isDisposed: Bool { flag.isDisposed }

    func dispose() {
        flag.dispose()
        // After the flag, so that `isDisposed` is true in code that runs during the cancellation.
        token.cancel()
    }
}
