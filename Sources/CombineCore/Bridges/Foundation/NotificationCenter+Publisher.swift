public import Foundation
import Locking

extension NotificationCenter {
    /// Makes a publisher of the notifications of that name, from `object` or, without one, from anybody.
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
        Publisher(center: self, name: name, object: object)
    }

    /// Delivers the notifications that a centre posts from the subscription on.
    ///
    /// They are delivered on the thread that posts. What a subscriber has not asked for is not delivered later.
    public struct Publisher: CombineCore.Publisher {
        /// The notifications, as they were posted.
        public typealias Output = Notification
        /// A centre cannot fail.
        public typealias Failure = Never

        /// Where the notifications are posted.
        public let center: NotificationCenter
        /// The name of the notifications.
        public let name: Notification.Name
        /// Whose notifications are delivered; everybody's without one.
        public let object: AnyObject?

        /// Makes the publisher; nothing is observed before somebody subscribes.
        public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
            self.center = center
            self.name = name
            self.object = object
        }

        /// Observes the centre on behalf of `subscriber`.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
            let conduit = NotificationConduit(subscriber, name)
            conduit.observe(center, object)
            conduit.open()
        }
    }
}

extension NotificationCenter.Publisher: Equatable {
    /// Whether both deliver the notifications of one name from one object in one centre.
    public static func == (lhs: NotificationCenter.Publisher, rhs: NotificationCenter.Publisher) -> Bool {
        lhs.center === rhs.center && lhs.name == rhs.name && lhs.object === rhs.object
    }
}

/// The link between a notification centre and a subscriber. It is kept by the centre until it is cancelled.
private final class NotificationConduit<Downstream: Subscriber>: GatedConduit
where Downstream.Input == Notification, Downstream.Failure == Never {
    private let lock = WordLock()
    /// These are guarded by `lock`.
    @exclusivity(unchecked) private var center: NotificationCenter?
    @exclusivity(unchecked) private var observer: (any NSObjectProtocol)?
    @exclusivity(unchecked) private var object: AnyObject?
    /// Used inside the gate, and let go of after the end.
    @exclusivity(unchecked) private var downstream: Downstream?

    private let name: Notification.Name

    init(_ downstream: Downstream, _ name: Notification.Name) {
        self.downstream = downstream
        self.name = name
        super.init { unsafeDowncast($0, to: NotificationConduit<Downstream>.self).handle($1) }
    }

    deinit {
        stayOutOfClients()
    }

    override var description: String { "NotificationCenter Observer" }

    override var customMirror: Mirror {
        let (center, object) = lock.withLock { (self.center, self.object) }
        let children: KeyValuePairs<String, Any> = [
            "center": center as Any, "name": name, "object": object as Any,
            "demand": Subscribers.Demand(outstanding: demand.current),
        ]
        return Mirror(self, children: children)
    }

    func observe(_ center: NotificationCenter, _ object: AnyObject?) {
        let conduit = UnsafeTransfer(self)
        let observer = center.addObserver(forName: name, object: object, queue: nil) { conduit.value.deliver($0) }
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
