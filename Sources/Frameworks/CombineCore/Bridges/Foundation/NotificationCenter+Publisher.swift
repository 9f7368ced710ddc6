public import Foundation
import Locking
import StateCapture

extension NotificationCenter {
    /// Returns a publisher of the notifications with the given name, from `object` or, if it is nil, from any object.
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
        Publisher(center: self, name: name, object: object)
    }

    /// A publisher of the notifications that a notification center posts while it has a subscriber.
    ///
    /// It delivers them on the thread that posts. A notification without demand is dropped.
    public struct Publisher: CombineCore.Publisher {
        /// The notifications, as posted.
        public typealias Output = Notification
        /// A notification center cannot fail.
        public typealias Failure = Never

        /// The notification center.
        public let center: NotificationCenter
        /// The name of the notifications.
        public let name: Notification.Name
        /// The object whose notifications are delivered, or nil for those of any object.
        public let object: AnyObject?

        /// Creates the publisher. It observes nothing until it has a subscriber.
        public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
            self.center = center
            self.name = name
            self.object = object
        }

        /// Observes the notification center for `subscriber`, while anything retains the subscription.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
            // A restored machine observes as a new one: notifications are not replayed.
            let conduit = NotificationConduit(subscriber, name).registered()
            guard !conduit.demand.isEnded else { return }
            conduit.observe(center, object)
            conduit.open()
        }
    }
}

extension NotificationCenter.Publisher: Equatable {
    /// Returns whether both deliver the notifications with the same name from the same object and center.
    public static func == (lhs: NotificationCenter.Publisher, rhs: NotificationCenter.Publisher) -> Bool {
        lhs.center === rhs.center && lhs.name == rhs.name && lhs.object === rhs.object
    }
}

/// The conduit between a notification center and a subscriber. The holder of the subscription retains it, not the center.
private final class NotificationConduit<Downstream: Subscriber>: GatedConduit
where Downstream.Input == Notification, Downstream.Failure == Never {
    private let lock = WordLock()
    // Guarded by `lock`, which makes every access exclusive.
    @exclusivity(unchecked) private var center: NotificationCenter?
    @exclusivity(unchecked) private var observer: (any NSObjectProtocol)?
    @exclusivity(unchecked) private var object: AnyObject?
    // Used only inside the gate, which makes every access exclusive, and released after the end.
    @exclusivity(unchecked) private var downstream: Downstream?

    private let name: Notification.Name

    init(_ downstream: Downstream, _ name: Notification.Name) {
        self.downstream = downstream
        self.name = name
        super.init { unsafeDowncast($0, to: NotificationConduit<Downstream>.self).handle($1) }
    }

    deinit {
        stopObserving()
    }

    override var description: String { "NotificationCenter Observer" }

    override var customMirror: Mirror {
        let (center, object) = lock.withLock { (self.center, self.object) }
        let demand = Subscribers.Demand(outstanding: demand.current)
        return mirror([("center", center as Any), ("name", name), ("object", object as Any), ("demand", demand)])
    }

    func observe(_ center: NotificationCenter, _ object: AnyObject?) {
        // `addObserver` takes a `@Sendable` closure. The conduit may be used from any thread, since lock and gate guard
        // its state. Weak: a subscription that nobody holds ends, as Combine's does.
        let deliver = UnsafeTransfer({ [weak self] in self?.deliver($0) })
        let observer = center.addObserver(forName: name, object: object, queue: nil) { deliver.value($0) }
        lock.withLock {
            self.center = center
            self.observer = observer
            self.object = object
        }
    }

    func open() {
        let outermost = enter()
        downstream?.receive(subscription: self)
        exit(outermost)
    }

    func handle(_ command: Command) {
        switch command {
        case .request(let more): demand.add(more)
        case .cancel:
            guard demand.end() else { return }
            stopObserving()
            releaseReferences()
        case .drainPending:
            if demand.isEnded { downstream = nil }
        }
    }

    private func deliver(_ notification: Notification) {
        let outermost = enter()
        if demand.take(), let downstream {
            demand.add(downstream.receive(notification))
        }
        exit(outermost)
    }

    private func stopObserving() {
        let former = lock.withLock {
            let taken = (center, observer, object)
            center = nil
            observer = nil
            object = nil
            return taken
        }
        if let observer = former.1 { former.0?.removeObserver(observer) }
    }
}

extension NotificationConduit: StatefulPart {
    static var partName: StaticString { "notifications" }

    var partState: LiveState? { demand.isEnded ? nil : LiveState() }

    func restore(_ state: LiveState?) {
        if state == nil { endRestored(downstream) }
    }
}
