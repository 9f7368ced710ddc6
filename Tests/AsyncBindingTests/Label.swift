import AsyncBinding
import Foundation

/// The article's label: an object on the main actor with an optional text.
@MainActor
final class Label: NSObject {
    var text: String? {
        didSet { texts.append(text) }
    }
    var number = 0

    /// All texts that were set.
    private(set) var texts: [String?] = [] {
        didSet { wake() }
    }
    private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// Waits until the given number of texts was set.
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

/// An object whose deallocation is observed immediately.
@MainActor
final class Display: AsyncBindingExtensionsProvider, LifetimeProviding {
    nonisolated let lifetime = Lifetime()
    var text: String?
}

/// A sequence of texts that a test sends and that reports the end of its iteration.
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

    /// Returns the sequence without keeping a reference to it.
    var texts: AsyncThrowingStream<String?, any Error> {
        defer { stream = nil }
        return stream ?? AsyncThrowingStream { $0.finish() }
    }

    func send(_ texts: String?...) {
        for text in texts { continuation.yield(text) }
    }

    /// Waits until the iteration ends.
    func isLeft() async {
        for await _ in terminations {}
    }
}

struct Failure: Error, Equatable {}
