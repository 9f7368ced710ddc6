import CombineCore
import Testing

@Suite struct ForeignSubscriptionTests {
    final class Journal {
        var lines: [String] = []
    }

    /// A subscription that is a value and no link of the module.
    struct Written: Subscription {
        let journal: Journal
        let combineIdentifier = CombineIdentifier()

        func request(_ demand: Subscribers.Demand) { journal.lines.append("request \(demand)") }

        func cancel() { journal.lines.append("cancel") }
    }

    struct Source: Publisher {
        typealias Output = Int
        typealias Failure = Never
        let journal: Journal

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
            subscriber.receive(subscription: Written(journal: journal))
        }
    }

    @Test func `a subscription of somebody else gets requests and cancellations through any link`() {
        let journal = Journal()
        let source = Source(journal: journal)
        source.sink { _ in }.cancel()
        source.tryMap { $0 }.sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
        source.merge(with: Empty(completeImmediately: false)).sink { _ in }.cancel()
        #expect(
            journal.lines == [
                "request unlimited", "cancel", "request unlimited", "cancel", "request unlimited", "cancel",
            ])
    }

    /// A subscriber that is a value; it holds its subscription, and something to tell whether it is alive.
    struct Holding: Subscriber {
        let journal: Journal
        let combineIdentifier = CombineIdentifier()

        func receive(subscription: any Subscription) {
            held.subscription = subscription
            subscription.request(.max(1))
        }

        func receive(_ input: Int) -> Subscribers.Demand {
            journal.lines.append("\(input)")
            return .none
        }

        func receive(completion: Subscribers.Completion<Never>) { journal.lines.append("finished") }

        final class Held { var subscription: (any Subscription)? }
        let held = Held()
    }

    @Test func `a source of one value lets go of a subscriber that holds the subscription`() {
        let journal = Journal()
        weak var held: Holding.Held?
        do {
            let subscriber = Holding(journal: journal)
            held = subscriber.held
            Just(5).subscribe(subscriber)
        }
        #expect(journal.lines == ["5", "finished"])
        #expect(held == nil)
    }
}
