import ComposableArchitecture
import FoundationEssentials
import Testing

private struct Problem: Error, Equatable {}

/// A sequence of numbers that may end with an error.
private struct Numbers: AsyncSequence, Sendable {
    let last: Int
    var fails = false

    struct Iterator: AsyncIteratorProtocol {
        let numbers: Numbers
        var next = 1

        mutating func next() async throws -> Int? {
            if next > numbers.last {
                if numbers.fails { throw Problem() }
                return nil
            }
            defer { next += 1 }
            return next
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(numbers: self) }
}

@Suite struct IsolatedValueTests {
    private final class Reference {
        var count = 0
    }

    @Test func `an actor isolates a value`() async {
        let numbers = ActorIsolated<[Int]>([1])
        let count = await numbers.withValue {
            $0.append(2)
            return $0.count
        }
        #expect(count == 2)
        #expect(await numbers.value == [1, 2])
        await numbers.setValue([])
        #expect(await numbers.value.isEmpty)
    }

    @Test func `a lock isolates a value that cannot be passed between tasks`() async {
        let reference = LockIsolated(Reference())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { reference.withValue { $0.count += 1 } } }
        }
        #expect(reference.withValue { $0.count } == 8)
        #expect(reference.count == 8)
        reference.setValue(Reference())
        #expect(reference.count == 0)
    }

    @Test func `an unchecked value has the members of the value`() throws {
        @UncheckedSendable var text = "a"
        text += "b"
        #expect($text.count == 2)
        var list = UncheckedSendable([1])
        list.value.append(2)
        list.self[0] = 0
        #expect(list == UncheckedSendable([0, 2]))
        #expect(Set([list, list]).count == 1)
        let json = try JSONEncoder().encode(list)
        #expect(String(decoding: json, as: UTF8.self) == "[0,2]")
        #expect(try JSONDecoder().decode(UncheckedSendable<[Int]>.self, from: json) == list)
    }

    @Test func `erased values are equal if the values are`() {
        #expect(AnyHashableSendable(1) == AnyHashableSendable(1))
        #expect(AnyHashableSendable(1) != AnyHashableSendable(2))
        #expect(AnyHashableSendable(1) != AnyHashableSendable("1"))
        let once: any Hashable & Sendable = AnyHashableSendable(1)
        #expect(AnyHashableSendable(once).base as? Int == 1)
        #expect(Set([AnyHashableSendable(1), AnyHashableSendable(1)]).count == 1)
        #expect("\(AnyHashableSendable(1))" == "1")
        #expect(String(reflecting: AnyHashableSendable("a")) == #"AnyHashableSendable("a")"#)
    }

    @Test func `a literal is an erased value`() {
        let values: [AnyHashableSendable] = [true, 1, 1.5, "a"]
        #expect(values[0].base as? Bool == true)
        #expect(values[1].base as? Int == 1)
        #expect(values[2].base as? Double == 1.5)
        #expect(values[3].base as? String == "a")
    }

    @Test func `an erased value of an unknown type equals the value`() {
        let unknown: any Hashable & Sendable = 1
        #expect(AnyHashableSendable(unknown) == 1)
        #expect(AnyHashable(AnyHashableSendable(unknown)) == AnyHashable(1))
        #expect([AnyHashable("a"): 1][AnyHashableSendable("a")] == 1)
    }
}

@Suite struct ErasedStreamTests {
    @Test func `a stream has the elements of a sequence`() async {
        var found: [Int] = []
        for await number in AsyncStream(Numbers(last: 3)) { found.append(number) }
        for await number in Numbers(last: 2, fails: true).eraseToStream() { found.append(number) }
        #expect(found == [1, 2, 3, 1, 2])
    }

    @Test func `a throwing stream has the error too`() async {
        let found = LockIsolated<[Int]>([])
        await #expect(throws: Problem.self) {
            for try await number in Numbers(last: 2, fails: true).eraseToThrowingStream() {
                found.withValue { $0.append(number) }
            }
        }
        #expect(found.value == [1, 2])
        await #expect(throws: Problem.self) {
            for try await _ in AsyncThrowingStream(UncheckedSendable(Numbers(last: 0, fails: true))) {}
        }
    }

    @Test func `a continuation sends elements`() async throws {
        let (stream, continuation) = AsyncStream<Int>.streamWithContinuation()
        let (throwing, throwingContinuation) = AsyncThrowingStream<Int, any Error>.streamWithContinuation()
        for number in 1...2 {
            continuation.yield(number)
            throwingContinuation.yield(number)
        }
        continuation.finish()
        throwingContinuation.finish()
        #expect(await stream.reduce(0, +) == 3)
        #expect(try await throwing.reduce(0, +) == 3)
    }
}

@Suite struct WaitingTaskTests {
    @Test func `a task without an end is cancelled with the task that waits for it`() async {
        let task = Task {
            let inner = Task { try await Task<Int, Never>.never() }
            return try await inner.cancellableValue
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let other = Task {
            await Task {
                while !Task.isCancelled { await Task.yield() }
                return 3
            }
            .cancellableValue
        }
        other.cancel()
        #expect(await other.value == 3)
    }

    @Test func `yielding returns`() async {
        await Task.megaYield(count: 2)
        await Task.megaYield(count: 0)
    }

    @Test func `a result has the value or the error of an asynchronous closure`() async throws {
        func number(_ fails: Bool) async throws -> Int {
            if fails { throw Problem() }
            return 1
        }
        let value = await Result { try await number(false) }
        #expect(try value.get() == 1)
        let error = await Result { try await number(true) }
        #expect(throws: Problem.self) { try error.get() }
        let typed = await Result { () async throws(Problem) -> Int in throw Problem() }
        #expect(typed == .failure(Problem()))
    }
}

@Suite struct MainSerialExecutorTests {
    @Test func `tasks run in the order in which they start`() async {
        // In a process of its own, because the tasks of all tests would run on the main queue.
        await #expect(processExitsWith: .success) {
            let numbers = LockIsolated<[Int]>([])
            await withMainSerialExecutor {
                #expect(uncheckedUseMainSerialExecutor)
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<1000 { group.addTask { numbers.withValue { $0.append(number) } } }
                }
            }
            #expect(!uncheckedUseMainSerialExecutor)
            #expect(numbers.value == Array(0..<1000))
            withMainSerialExecutor { #expect(uncheckedUseMainSerialExecutor) }
            uncheckedUseMainSerialExecutor = true
            await Task.detached { MainActor.assertIsolated() }.value
            uncheckedUseMainSerialExecutor = false
            #expect(!uncheckedUseMainSerialExecutor)
        }
    }
}
