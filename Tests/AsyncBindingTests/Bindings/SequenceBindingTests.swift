import Testing

@testable import AsyncBinding

@MainActor
@Suite struct SequenceBindingTests {
    private let label = Label()
    private let feed = Feed()

    @Test func `the first value is set in a later job, even if the sequence already has it`() async {
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

    @Test func `a value in flight is not set after the binding was disposed of`() async {
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

    @Test func `after a sequence throws, the last value remains and the error is available`() async {
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

    @Test func `a task does not outlive its binding`() async {
        var binding: ActiveBinding? = label.asyncBinding.bind(\.text) <~ feed.texts
        feed.send("a")
        await label.receives(1)
        #expect(binding?.isDisposed == false)
        binding = nil
        await feed.isLeft()
        #expect(label.texts == ["a"])
    }

    @Test func `iteration stops at the next value after the object is deallocated`() async {
        var label: Label? = Label()
        weak let observed = label
        let binding = (label ?? Label()).asyncBinding.bind(\.text) <~ feed.texts
        feed.send("a")
        await label?.receives(1)
        label = nil
        #expect(observed == nil)
        feed.send("b")
        guard case .targetGone = await binding.end else {
            Issue.record("expected a binding whose target was deallocated")
            return
        }
        await feed.isLeft()
    }

    @Test func `iteration stops immediately when an object with a lifetime is deallocated`() async {
        var display: Display? = Display()
        weak let observed = display
        let binding = (display ?? Display()).asyncBinding.bind(\.text) <~ feed.texts
        display = nil
        #expect(observed == nil)
        #expect(binding.isDisposed)
        await feed.isLeft()
    }

    @Test func `an ended binding removes its observer from the object's lifetime`() async {
        let display = Display()
        for _ in 0..<1_000 { (display.asyncBinding.bind(\.text) <~ Feed().texts).dispose() }
        #expect(display.lifetime.observerCount == 0)
    }

    @Test func `values bind to an optional property, and optional values to a non-optional one`() async {
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
