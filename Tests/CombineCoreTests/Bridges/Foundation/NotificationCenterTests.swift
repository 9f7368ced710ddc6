import CombineCore
import Foundation
import Testing

@Suite struct NotificationCenterTests {
    private final class Sender {}

    private let center = NotificationCenter()
    private let name = Notification.Name("granary.changed")

    private func post(_ number: Int, from sender: AnyObject? = nil) {
        center.post(name: name, object: sender, userInfo: ["number": number])
    }

    private func number(_ notification: Notification) -> Int? {
        notification.userInfo?["number"] as? Int
    }

    @Test func `notifications with the given name are delivered until the subscription is cancelled`() {
        var got: [Int?] = []
        post(1)
        let token = center.publisher(for: name).sink { got.append(number($0)) }
        post(2)
        center.post(name: Notification.Name("granary.other"), object: nil)
        post(3)
        token.cancel()
        post(4)
        #expect(got == [2, 3])
    }

    @Test func `a publisher for an object delivers only that object's notifications`() {
        let (sender, other) = (Sender(), Sender())
        var got: [Int?] = []
        let token = center.publisher(for: name, object: sender).sink { got.append(number($0)) }
        post(1, from: sender)
        post(2, from: other)
        post(3)
        #expect(got == [1])
        token.cancel()
    }

    @Test func `notifications without demand are dropped, and returned demand is added`() {
        let subscriber = PatientSubscriber<Notification>()
        center.publisher(for: name).subscribe(subscriber)
        post(1)
        subscriber.subscription?.request(.max(1))
        post(2)
        post(3)
        subscriber.more = .max(1)
        subscriber.subscription?.request(.max(1))
        post(4)
        post(5)
        subscriber.more = .none
        post(6)
        post(7)
        #expect(subscriber.values.map(number) == [2, 4, 5, 6])
        subscriber.subscription?.cancel()
    }

    @Test func `a subscriber may post a notification during a delivery`() {
        let subscriber = PatientSubscriber<Notification>()
        center.publisher(for: name).subscribe(subscriber)
        subscriber.react = { if number($0) == 1 { post(2) } }
        subscriber.subscription?.request(.unlimited)
        post(1)
        #expect(subscriber.values.map(number) == [1, 2])
        subscriber.subscription?.cancel()
    }

    @Test func `cancelling during a delivery stops deliveries and releases the subscriber`() {
        weak var witness: PatientSubscriber<Notification>?
        do {
            let subscriber = PatientSubscriber<Notification>()
            witness = subscriber
            center.publisher(for: name).subscribe(subscriber)
            subscriber.react = { [weak subscriber] _ in subscriber?.subscription?.cancel() }
            subscriber.subscription?.request(.unlimited)
            post(1)
            post(2)
            #expect(subscriber.values.map(number) == [1])
        }
        // Nothing else retains the subscriber, although it retains its cancelled subscription.
        #expect(witness == nil)
    }

    @Test func `a subscription that nothing retains delivers no more and releases its subscriber`() {
        /// A subscriber that keeps no subscription.
        final class Forgetful: Subscriber {
            var count = 0
            func receive(subscription: any Subscription) { subscription.request(.unlimited) }
            func receive(_ input: Notification) -> Subscribers.Demand {
                count += 1
                return .none
            }
            func receive(completion: Subscribers.Completion<Never>) {}
        }
        weak var witness: Forgetful?
        do {
            let subscriber = Forgetful()
            witness = subscriber
            center.publisher(for: name).subscribe(subscriber)
            post(1)
            #expect(subscriber.count == 0)
        }
        #expect(witness == nil)
    }

    @Test func `a subscription that only its subscriber retains goes on`() {
        var got: [Int?] = []
        weak var witness: Subscribers.Sink<Notification, Never>?
        do {
            let sink = Subscribers.Sink<Notification, Never>(
                receiveCompletion: { _ in }, receiveValue: { got.append(number($0)) })
            witness = sink
            center.publisher(for: name).subscribe(sink)
        }
        post(1)
        #expect(got == [1])
        witness?.cancel()
        post(2)
        #expect(got == [1])
        #expect(witness == nil)
    }

    @Test func `publishers are equal if their centre, name and object are equal`() {
        let sender = Sender()
        let publisher = center.publisher(for: name, object: sender)
        #expect(publisher == center.publisher(for: name, object: sender))
        #expect(publisher != center.publisher(for: name))
        #expect(publisher != center.publisher(for: name, object: Sender()))
        #expect(publisher != center.publisher(for: Notification.Name("other"), object: sender))
        #expect(publisher != NotificationCenter().publisher(for: name, object: sender))
    }
}
