import Locking
public import StateCapture
import Synchronization

extension OneValueConduit {
    /// Sends a subscription to a subscriber of a machine that is being wired.
    // Inlinable, so that the code of a session is specialized, too; and never inlined, so that the code of other
    // subscriptions contains no more than a branch.
    @inlinable
    @inline(never)
    static func startWhileWiring(_ output: Output, _ subscriber: Downstream) {
        let conduit = OneValueConduit(output, subscriber)
        if !conduit.postpone(subscriber) { subscriber.receive(subscription: conduit) }
    }

    /// Registers a conduit of a machine that is being wired. If it is restored, sends a subscription.
    ///
    /// - Returns: Whether the conduit is restored. If not, the caller sends the subscription.
    @usableFromInline
    func postpone(_ subscriber: Downstream) -> Bool {
        StateRegistry.current?.restart(self, subscriber) ?? false
    }
}

extension OneValueConduit: StatefulPart {
    @usableFromInline static var partName: StaticString { "value" }

    @usableFromInline static var keyName: String { LinkName.of(Source.self) }

    @usableFromInline var partState: LiveState? { isOver.atomic.load(ordering: .acquiring) ? nil : LiveState() }

    @usableFromInline
    func restore(_ state: LiveState?) {
        if state == nil { handle(.cancel) }
    }
}

extension Record.Inner: StatefulPart {
    @usableFromInline static var partName: StaticString { "record" }

    /// The number of delivered values.
    @usableFromInline var partState: ValueState<Int>? { demand.isEnded ? nil : ValueState(next) }

    @usableFromInline
    func restore(_ state: ValueState<Int>?) {
        if let state, output.indices.contains(state.value.value) {
            next = state.value.value
        } else if demand.end() {
            releaseReferences()
        }
    }
}

extension DataTaskConduit: StatefulPart {
    static var partName: StaticString { "dataTask" }

    /// A state without content; nil once there is a response or the request was cancelled.
    var partState: LiveState? { demand.isEnded ? nil : LiveState() }

    func restore(_ state: LiveState?) {
        if state == nil { handle(.cancel) }
    }
}
