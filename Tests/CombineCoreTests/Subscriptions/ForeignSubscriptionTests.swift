import CombineCore
import Testing

@Suite struct ForeignSubscriptionTests {
    final class Journal {
        var lines: [String] = []
    }

    /// A subscription that is a structure from outside the module.
    struct JournalSubscription: Subscription {
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
            subscriber.receive(subscription: JournalSubscription(journal: journal))
        }
    }

    @Test func `a custom subscription receives requests and cancellations through any operator`() {
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

    /// A subscriber that is a structure. It retains its subscription, and its `held` object shows whether it is alive.
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

    @Test func `a source of one value releases a subscriber that retains the subscription`() {
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
