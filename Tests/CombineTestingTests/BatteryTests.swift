import CombineCore
import CombineTesting
import Testing

/// Checks with faulty operators that the battery finds their faults.
@Suite struct BatteryTests {
    private static let numbers = ["1", "2", "3", "4", "5"]

    private func claims(against row: OperatorCase) -> Set<String> {
        Set(Battery.points.filter { !$0.findings(for: row).isEmpty }.map(\.claim))
    }

    @Test func `a correct operator has no findings`() {
        let row = OperatorCase(
            "tryMap", .init(Self.numbers, keepsEveryValue: true, description: "TryMap")
        ) { $0.tryMap { $0 } }
        #expect(claims(against: row).subtracting(Self.claimsOnDescriptions) == [])
    }

    private static let claimsOnDescriptions: Set = [
        "has a subscription that describes itself", "has a link that describes itself to upstream",
        "has the expected playground description", "has the expected mirror",
    ]

    @Test func `wrong values are reported`() {
        let row = OperatorCase("wrong", .init(Self.numbers, strictness: .transparent)) { $0.map { $0 + 1 } }
        #expect(claims(against: row).contains("delivers the expected values when upstream finishes"))
    }

    @Test func `requests beyond the demand are reported`() {
        let row = OperatorCase("greedy", .init(Self.numbers)) { Greedy(upstream: $0) }
        let found = claims(against: row)
        #expect(found.contains("requests from upstream as its kind of operator does, and nothing else"))
        #expect(found.contains("delivers nothing without demand"))
        #expect(found.contains("adds requests up"))
    }

    @Test func `a retained subscriber is reported`() {
        let row = OperatorCase("clinging", .init(Self.numbers)) { Clinging(upstream: $0) }
        let found = claims(against: row)
        #expect(found.contains("releases the subscriber on cancellation, even if its subscription is retained"))
        #expect(found.contains("releases its subscription to upstream on cancellation"))
    }

    @Test func `missing guards are reported`() {
        let row = OperatorCase("careless", .init(Self.numbers)) { $0.map { $0 } }
        let found = claims(against: row)
        #expect(found.contains("cancels a second subscription and keeps the first"))
        #expect(found.contains("ends once though a bad upstream ends twice"))
        #expect(found.contains("drops values after the end"))
    }

    @Test func `all claims are distinct`() {
        let all = Battery.points.map(\.claim)
        #expect(Set(all).count == all.count)
    }
}

/// Requests unlimited values, regardless of the demand of downstream.
private struct Greedy: Publisher {
    typealias Output = Int
    typealias Failure = TestError
    let upstream: AnyPublisher<Int, TestError>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
        upstream.subscribe(
            AnySubscriber<Int, TestError>(
                receiveSubscription: {
                    subscriber.receive(subscription: $0)
                    $0.request(.unlimited)
                }, receiveValue: { subscriber.receive($0) }, receiveCompletion: { subscriber.receive(completion: $0) }))
    }
}

/// An operator that never releases its upstream and downstream.
private struct Clinging: Publisher {
    typealias Output = Int
    typealias Failure = TestError
    let upstream: AnyPublisher<Int, TestError>

    final class Link<Downstream: Subscriber>: Subscriber, Subscription
    where Downstream.Input == Int, Downstream.Failure == TestError {
        let downstream: Downstream
        var upstream: (any Subscription)?

        init(_ downstream: Downstream) {
            self.downstream = downstream
        }

        func receive(subscription: any Subscription) {
            upstream = subscription
            downstream.receive(subscription: self)
        }

        func receive(_ input: Int) -> Subscribers.Demand { downstream.receive(input) }

        func receive(completion: Subscribers.Completion<TestError>) { downstream.receive(completion: completion) }

        func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

        func cancel() { upstream?.cancel() }
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
        upstream.subscribe(Link(subscriber))
    }
}
