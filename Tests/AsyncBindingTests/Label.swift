import AsyncBinding
import Foundation

/// A label as the article has it: an object on the main actor, with a text that may be missing.
@MainActor
final class Label: NSObject {
    var text: String? {
        didSet { texts.append(text) }
    }
    var number = 0

    /// Every text that was set.
    private(set) var texts: [String?] = [] {
        didSet { wake() }
    }
    private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// Waits until so many texts have been set.
    func receives(_ count: Int) async {
        guard texts.count < count else { return }
        await withCheckedContinuation { waiting.append((count, $0)) }
    }

    private func wake() {
        let due = waiting.filter { $0.count <= texts.count }
        waiting.removeAll { $0.count <= texts.count }
        for entry in due { entry.continuation.resume() }
    }
}

/// An object whose end is noticed at once.
@MainActor
final class Display: AsyncBindingExtensionsProvider, LifetimeProviding {
    nonisolated let lifetime = Lifetime()
    var text: String?
}

/// A sequence of texts that a test feeds, and that says when nobody listens any more.
@MainActor
final class Feed {
    private var stream: AsyncThrowingStream<String?, any Error>?
    let continuation: AsyncThrowingStream<String?, any Error>.Continuation
    private let terminations: AsyncStream<Void>

    init() {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: String?.self)
        self.stream = stream
        self.continuation = continuation
        let (terminations, ended) = AsyncStream.makeStream(of: Void.self)
        self.terminations = terminations
        continuation.onTermination = { _ in ended.finish() }
    }

    /// The sequence, which is given away: nobody but its taker keeps it.
    var texts: AsyncThrowingStream<String?, any Error> {
        defer { stream = nil }
        return stream ?? AsyncThrowingStream { $0.finish() }
    }

    func send(_ texts: String?...) {
        for text in texts { continuation.yield(text) }
    }

    /// Waits until nobody listens any more.
    func isLeft() async {
        for await _ in terminations {}
    }
}

struct Failure: Error, Equatable {}
