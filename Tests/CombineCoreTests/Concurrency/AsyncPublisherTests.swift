import CombineCore
import Testing

@Suite struct AsyncPublisherTests {
    @Test func `values arrive in order, and the loop ends with the stream`() async {
        var got: [Int] = []
        for await value in [1, 2, 3].publisher.values { got.append(value) }
        #expect(got == [1, 2, 3])
    }

    @Test func `a failure is thrown once, and no values follow it`() async throws {
        let publisher = [1].publisher.setFailureType(to: Mishap.self).append(Fail(error: .first))
        var iterator = publisher.values.makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        await #expect(throws: Mishap.first) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test func `the sequence requests one value at a time`() async {
        var requests: [Subscribers.Demand] = []
        var iterator = (1...10).publisher.handleEvents(receiveRequest: { requests.append($0) }).values
            .makeAsyncIterator()
        #expect(requests == [])
        #expect(await iterator.next() == 1)
        #expect(await iterator.next() == 2)
        #expect(requests == [.max(1), .max(1)])
    }

    @Test func `leaving the loop cancels the subscription`() async {
        var isCancelled = false
        for await _ in (1...3).publisher.handleEvents(receiveCancel: { isCancelled = true }).values { break }
        #expect(isCancelled)
    }

    @Test func `cancelling the task ends the wait for a value`() async {
        let task = Task {
            var count = 0
            for await _ in Empty<Int, Never>(completeImmediately: false).values { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value == 0)
    }

    @Test func `the value property of a future returns its value or throws its failure`() async throws {
        #expect(await Future<Int, Never> { $0(.success(4)) }.value == 4)
        let failing = Future<Int, Mishap> { $0(.failure(.second)) }
        await #expect(throws: Mishap.second) { try await failing.value }
    }

    @MainActor @Test func `code on an actor may await values and futures that are not Sendable`() async throws {
        final class Box {
            let number = 6
        }
        let future = Future<Box, Never> { $0(.success(Box())) }
        #expect(await future.value.number == 6)
        var iterator = Just(Box()).values.makeAsyncIterator()
        let box = await iterator.next()
        #expect(box?.number == 6)
        for await next in future.values { #expect(next.number == 6) }
    }

    @Test func `fulfilling a future resumes waiting tasks`() async throws {
        let fulfiller = Fulfiller()
        let future = Future<Int, Mishap> { fulfiller.promise = $0 }
        async let fulfilled: Void = fulfiller.fulfill()
        let value = try await future.value
        await fulfilled
        #expect(value == 9)
    }

    /// Sendable because only one task uses the promise once the future has been created.
    final class Fulfiller: @unchecked Sendable {
        var promise: Future<Int, Mishap>.Promise?

        func fulfill() async {
            await Task.yield()
            promise?(.success(9))
        }
    }
}
