import Locking
public import StateCapture
import Synchronization

extension OneValueConduit {
    /// Sends a subscription to a subscriber of a machine that is being wired.
    @usableFromInline
    static func startWhileWiring(_ output: Output, _ subscriber: Downstream) {
        let conduit = OneValueConduit(output, subscriber)
        StateRegistry.current?.start(conduit, subscriber)
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
        if let state, state.value.value < output.count {
            next = state.value.value
        } else if demand.end() {
            releaseReferences()
        }
    }
}
