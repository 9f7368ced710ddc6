import HTTPModel
import Testing

@testable import MachineHost

struct IdempotencyWindowTests {
    private let limits = IdempotencyWindow.Limits(requests: 3, bytes: 1000, maxResponseBytes: 100, age: .seconds(10))

    private func digest(_ number: UInt64) -> RequestDigest { RequestDigest(low: number, high: 0) }

    private func time(_ seconds: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + .seconds(seconds) }

    private func receive(
        _ window: IdempotencyWindow, _ key: UInt64, request: UInt64 = 1, now: Int = 0,
        limits: IdempotencyWindow.Limits? = nil
    ) -> IdempotencyWindow.Verdict {
        window.receive(digest(key), request: digest(request), now: time(now), limits: limits ?? self.limits)
    }

    private func answered(_ keys: UInt64..., in window: IdempotencyWindow, size: Int = 1, now: Int = 0) {
        for key in keys {
            #expect(receive(window, key, now: now) == .run)
            window.finish(
                digest(key), response: [UInt8](repeating: 2, count: size), short: { [9] }, limits: limits)
        }
    }

    @Test func `a key runs once, then repeats its response for the same request only`() {
        let window = IdempotencyWindow()
        #expect(receive(window, 1) == .run)
        #expect(receive(window, 1) == .running)
        #expect(receive(window, 1, request: 2) == .mismatch)
        window.finish(digest(1), response: [7], short: { [] }, limits: limits)
        #expect(receive(window, 1) == .replay([7]))
        #expect(receive(window, 1, request: 2) == .mismatch)
        #expect(
            window.receive(RequestDigest(low: 1, high: 1), request: digest(1), now: time(0), limits: limits) == .run)
    }

    @Test func `a rejected request releases its key`() {
        let window = IdempotencyWindow()
        #expect(receive(window, 1) == .run)
        window.abandon(digest(1))
        window.abandon(digest(2))
        #expect(window.count == 0)
        #expect(window.byteCount == 0)
        #expect(receive(window, 1, request: 2, now: 5) == .run)
        window.finish(digest(1), response: [7], short: { [] }, limits: limits)
        // The first key has reached its age, the second has not.
        #expect(receive(window, 1, request: 2, now: 12) == .replay([7]))
        #expect(receive(window, 1, request: 2, now: 15) == .run)
    }

    @Test func `an answered request cannot release its key`() {
        let window = IdempotencyWindow()
        answered(1, in: window)
        window.abandon(digest(1))
        #expect(receive(window, 1) == .replay([2]))
    }

    @Test func `new keys above the maximum number are rejected until the oldest expires`() {
        let window = IdempotencyWindow()
        answered(1, in: window, now: 2)
        answered(2, 3, in: window, now: 5)
        #expect(receive(window, 4, now: 5) == .full(retryAfter: 7))
        #expect(receive(window, 4, now: 11) == .full(retryAfter: 1))
        for key: UInt64 in 1...3 { #expect(receive(window, key, now: 11) == .replay([2])) }
        #expect(receive(window, 4, now: 12) == .run)
        #expect(receive(window, 1, now: 12) == .full(retryAfter: 3))
        #expect(window.count == 3)
    }

    @Test func `new keys above the maximum size are rejected, and no response is dropped`() {
        let window = IdempotencyWindow()
        let limits = IdempotencyWindow.Limits(requests: 99, bytes: 700, maxResponseBytes: 100, age: .seconds(10))
        var admitted: [UInt64] = []
        for key: UInt64 in 1...20 {
            guard receive(window, key, limits: limits) == .run else { break }
            window.finish(digest(key), response: [UInt8](repeating: 2, count: 100), short: { [9] }, limits: limits)
            admitted.append(key)
        }
        #expect(admitted.count == 3)
        #expect(window.byteCount <= 700)
        for key in admitted {
            #expect(receive(window, key, limits: limits) == .replay([UInt8](repeating: 2, count: 100)))
        }
        #expect(receive(window, 99, limits: limits) == .full(retryAfter: 10))
    }

    @Test func `a response that is too large is stored in short form`() {
        let window = IdempotencyWindow()
        answered(1, in: window, size: 100)
        answered(2, in: window, size: 101)
        #expect(receive(window, 1) == .replay([UInt8](repeating: 2, count: 100)))
        #expect(receive(window, 2) == .replay([9]))
        #expect(receive(window, 3) == .run)
        window.finish(digest(3), response: nil, short: { [8] }, limits: limits)
        #expect(receive(window, 3) == .replay([8]))
    }

    @Test func `the first key is accepted regardless of the limits`() {
        let window = IdempotencyWindow()
        let none = IdempotencyWindow.Limits(requests: 0, bytes: 0, maxResponseBytes: 0, age: .seconds(10))
        #expect(receive(window, 1, limits: none) == .run)
        #expect(receive(window, 2, limits: none) == .full(retryAfter: 10))
    }

    @Test func `a response expires exactly at its maximum age`() {
        let window = IdempotencyWindow()
        answered(1, in: window, now: 5)
        #expect(receive(window, 1, now: 14) == .replay([2]))
        #expect(receive(window, 1, now: 15) == .run)
        window.abandon(digest(1))
        #expect(window.byteCount == 0)
    }

    @Test func `a running request never expires`() {
        let window = IdempotencyWindow()
        #expect(receive(window, 1) == .run)
        answered(2, 3, in: window, now: 100)
        #expect(receive(window, 1, now: 1000) == .running)
        #expect(receive(window, 4, now: 1000) == .full(retryAfter: 1))
    }

    @Test(arguments: 0..<10)
    func `with random requests, nothing expires early and no limit is exceeded`(seed: Int) {
        var random = Random(seed: UInt64(seed))
        let window = IdempotencyWindow()
        var model: [UInt64: (request: UInt64, response: [UInt8]?, time: Int)] = [:]
        var now: Int = 0
        for step in 0..<500 {
            now += Int(random.next() % 3)
            let (key, request) = (random.next() % 9, random.next() % 2)
            model = model.filter { $0.value.response == nil || $0.value.time + 10 > now }
            let verdict = receive(window, key, request: request, now: now)
            if let known = model[key] {
                #expect(
                    verdict
                        == (known.request != request ? .mismatch : known.response.map { .replay($0) } ?? .running))
            } else if verdict == .run {
                model[key] = (request, nil, now)
            } else {
                #expect(model.count >= limits.requests, "\(step): \(verdict)")
            }
            if random.next() % 3 > 0, let pending = model.first(where: { $0.value.response == nil })?.key {
                let response = [UInt8](repeating: UInt8(step % 256), count: Int(random.next() % 100))
                window.finish(digest(pending), response: response, short: { [] }, limits: limits)
                model[pending]?.response = response
            } else if let pending = model.first(where: { $0.value.response == nil })?.key, random.next() % 2 == 0 {
                window.abandon(digest(pending))
                model[pending] = nil
            }
            #expect(window.count <= limits.requests)
            #expect(window.byteCount <= limits.bytes)
        }
    }

    @Test func `the keys of one client do not keep those of others out`() {
        let window = IdempotencyWindow()
        let (loud, quiet, third) = (
            ClientTable.Client(bits: 1), ClientTable.Client(bits: 2), ClientTable.Client(bits: 3)
        )
        func run(_ key: UInt64, _ client: ClientTable.Client, now: Int = 0) -> IdempotencyWindow.Verdict {
            let verdict = window.receive(digest(key), request: digest(1), of: client, now: time(now), limits: limits)
            if verdict == .run { window.finish(digest(key), response: [7], short: { [] }, limits: limits) }
            return verdict
        }
        for key in 1...3 as ClosedRange<UInt64> { #expect(run(key, loud) == .run) }
        #expect(run(4, loud) == .full(retryAfter: 10))
        // The oldest key of the client with the most makes room, as long as that client then still has as many as the other one.
        #expect(run(5, quiet) == .run)
        #expect(window.count == 3 && !window.contains(digest(1)))
        #expect(run(4, loud) == .full(retryAfter: 10))
        #expect(run(6, quiet) == .full(retryAfter: 10))
        #expect(run(7, third) == .run)
        #expect(!window.contains(digest(2)) && window.contains(digest(3)) && window.contains(digest(5)))
        #expect(run(5, quiet) == .replay([7]))
        #expect(run(8, loud, now: 10) == .run)
    }

    @Test func `a response from the journal finds room in a full window`() {
        let window = IdempotencyWindow()
        for key in 1...3 as ClosedRange<UInt64> {
            _ = window.receive(
                digest(key), request: digest(1), of: ClientTable.Client(bits: 1), now: time(0), limits: limits)
            window.finish(digest(key), response: [7], short: { [] }, limits: limits)
        }
        for (key, client) in [(4, 1), (5, 2), (6, 3), (7, 4)] as [(UInt64, UInt128)] {
            window.restore(
                digest(key), request: digest(1), response: [8], of: ClientTable.Client(bits: client), age: .seconds(1),
                now: time(0), limits: limits)
            #expect(window.response(to: digest(key)) == [8])
            #expect(window.count == 3)
        }
    }

    @Test func `keys that are abandoned take no room`() {
        let window = IdempotencyWindow()
        for key in 0..<10_000 as Range<UInt64> {
            #expect(receive(window, key) == .run)
            window.abandon(digest(key))
        }
        #expect(window.placeCount <= 128)
    }
}
