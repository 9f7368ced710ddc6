import Testing

@testable import MachineHost

struct IdempotencyWindowTests {
    private let limits = IdempotencyWindow.Limits(requests: 3, bytes: 100, age: 10)

    private func answered(
        _ keys: String..., in window: IdempotencyWindow, size: Int = 1, now: Tick = 0
    ) {
        for key in keys {
            #expect(window.receive(key, request: [1], now: now, limits: limits) == .run)
            window.finish(key, answer: [UInt8](repeating: 2, count: size), limits: limits)
        }
    }

    @Test func `a key runs once, then gives its answer to the same request only`() {
        let window = IdempotencyWindow()
        #expect(window.receive("k", request: [1], now: 0, limits: limits) == .run)
        #expect(window.receive("k", request: [1], now: 0, limits: limits) == .underWay)
        #expect(window.receive("k", request: [2], now: 0, limits: limits) == .mismatch)
        window.finish("k", answer: [7], limits: limits)
        #expect(window.receive("k", request: [1], now: 0, limits: limits) == .replay([7]))
        #expect(window.receive("k", request: [1, 0], now: 0, limits: limits) == .mismatch)
    }

    @Test func `a request that was refused gives its key back`() {
        let window = IdempotencyWindow()
        #expect(window.receive("k", request: [1], now: 0, limits: limits) == .run)
        window.abandon("k")
        window.abandon("never came")
        #expect(window.count == 0)
        #expect(window.byteCount == 0)
        #expect(window.receive("k", request: [2], now: 0, limits: limits) == .run)
    }

    @Test func `the oldest answers are forgotten over the number`() {
        let window = IdempotencyWindow()
        answered("a", "b", "c", "d", in: window)
        #expect(window.count == 3)
        #expect(window.receive("b", request: [1], now: 0, limits: limits) == .replay([2]))
        #expect(window.receive("a", request: [1], now: 0, limits: limits) == .run)
    }

    @Test func `the oldest answers are forgotten over the size, the newest never`() {
        let window = IdempotencyWindow()
        answered("a", "b", in: window, size: 40)
        #expect(window.byteCount == 84)
        answered("c", in: window, size: 500)
        #expect(window.count == 1)
        #expect(window.byteCount == 502)
        #expect(
            window.receive("c", request: [1], now: 0, limits: limits)
                == .replay([UInt8](repeating: 2, count: 500)))
        answered("d", in: window)
        #expect(window.byteCount == 3)
    }

    @Test func `an answer is forgotten at its age, and not before`() {
        let window = IdempotencyWindow()
        answered("a", in: window, now: 5)
        #expect(window.receive("a", request: [1], now: 14, limits: limits) == .replay([2]))
        #expect(window.receive("a", request: [1], now: 15, limits: limits) == .run)
    }

    @Test func `what is under way is never forgotten`() {
        let window = IdempotencyWindow()
        #expect(window.receive("slow", request: [1], now: 0, limits: limits) == .run)
        answered("a", "b", "c", "d", in: window, now: 100)
        #expect(window.receive("slow", request: [1], now: 1000, limits: limits) == .underWay)
    }
}
