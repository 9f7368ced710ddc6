import Testing

@testable import AsyncBinding

@MainActor
@Suite(.timeLimit(.minutes(10)))
struct SequenceBindingTests {
    private let label = Label()
    private let feed = Feed()

    @Test func `the first value comes in a later turn, also if the sequence has it already`() async {
        feed.send("a")
        let binding = label.asyncBinding.bind(\.text) <~ feed.texts
        #expect(label.text == nil)
        await label.receives(1)
        #expect(label.text == "a")
        binding.dispose()
    }

    @Test func `every element is set in order`() async {
        let binding = label.asyncBinding.bind(\.text) <~ feed.texts
        feed.send("a", nil, "a", "b")
        await label.receives(4)
        #expect(label.texts == ["a", nil, "a", "b"])
        #expect(!binding.isDisposed)
    }

    @Test func `an element that is on its way is not set once the binding is disposed of`() async {
        let binding = label.asyncBinding.bind(\.text) <~ feed.texts
        feed.send("a")
        await label.receives(1)
        feed.send("b")
        binding.dispose()
        await feed.isLeft()
        #expect(label.texts == ["a"])
        guard case .disposed = await binding.end else {
            Issue.record("expected a binding that was disposed of")
            return
        }
    }

    @Test func `a sequence that throws leaves the last value, and the failure can be seen`() async {
        let binding = label.asyncBinding.bind(\.text) <~ feed.texts
        feed.send("a")
        feed.continuation.finish(throwing: Failure())
        guard case .failed(let error) = await binding.end else {
            Issue.record("expected a binding that failed")
            return
        }
        #expect(error as? Failure == Failure())
        #expect(binding.failure as? Failure == Failure())
        #expect(binding.isDisposed)
        #expect(label.text == "a")
    }

    @Test func `a sequence that ends ends the binding`() async {
        let binding = label.asyncBinding.bind(\.text) <~ feed.texts
        feed.send("a")
        feed.continuation.finish()
        guard case .completed = await binding.end else {
            Issue.record("expected a binding that completed")
            return
        }
        #expect(binding.failure == nil)
        #expect(label.text == "a")
    }

    @Test func `no task outlives its binding`() async {
        var binding: ActiveBinding? = label.asyncBinding.bind(\.text) <~ feed.texts
        feed.send("a")
        await label.receives(1)
        #expect(binding?.isDisposed == false)
        binding = nil
        await feed.isLeft()
        #expect(label.texts == ["a"])
    }

    @Test func `the sequence is left at the next value once the object is gone`() async {
        var label: Label? = Label()
        weak let gone = label
        let binding = (label ?? Label()).asyncBinding.bind(\.text) <~ feed.texts
        feed.send("a")
        await label?.receives(1)
        label = nil
        #expect(gone == nil)
        feed.send("b")
        guard case .targetGone = await binding.end else {
            Issue.record("expected a binding whose target is gone")
            return
        }
        await feed.isLeft()
    }

    @Test func `the sequence is left at once when an object with a lifetime is gone`() async {
        var display: Display? = Display()
        weak let gone = display
        let binding = (display ?? Display()).asyncBinding.bind(\.text) <~ feed.texts
        display = nil
        #expect(gone == nil)
        #expect(binding.isDisposed)
        await feed.isLeft()
    }

    @Test func `a binding that is over leaves nothing in the object's lifetime`() async {
        let display = Display()
        for _ in 0..<1_000 { (display.asyncBinding.bind(\.text) <~ Feed().texts).dispose() }
        #expect(display.lifetime.observerCount == 0)
    }

    @Test func `values are bound to an optional property, and optional ones to one that is not`() async {
        let (texts, continuation) = AsyncStream.makeStream(of: String.self)
        let promoted = label.asyncBinding.bind(\.text) <~ texts
        continuation.yield("a")
        await label.receives(1)
        #expect(label.text == "a")
        let (numbers, counting) = AsyncStream.makeStream(of: Int?.self)
        let demoted = label.asyncBinding.bind(\.number) <~ numbers
        counting.yield(1)
        counting.yield(nil)
        counting.finish()
        _ = await demoted.end
        #expect(label.number == 1)
        promoted.dispose()
    }
}
