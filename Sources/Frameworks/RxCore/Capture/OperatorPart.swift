import Locking
import StateCapture

/// A part whose work may start after the wiring.
protocol RestartablePart: AnyObject {
    /// Keeps an action for ``StatefulPart/resume()``.
    func startsLater(_ action: @escaping () -> Void)
}

/// The state of an operator as a part of a session's machine. A member of the subscription's group, which tells it the
/// end.
final class OperatorPart<State>: StatefulPart, RestartablePart, Disposable {
    enum Restoration {
        case none
        case state
        case end
    }

    private struct Access {
        let read: () -> State
        let write: (State) -> Void
    }

    /// Operators register under their own names.
    static var partName: StaticString { "operator" }

    private let serializer: Serializer
    private let lock = WordLock()
    /// Guarded by `lock`; nil once the operator has ended.
    private var access: Access?
    /// Guarded by `lock`.
    private var start: (() -> Void)?
    private(set) var restoration = Restoration.none

    init(_ serializer: Serializer, _ read: @escaping () -> State, _ write: @escaping (State) -> Void) {
        self.serializer = serializer
        access = Access(read: read, write: write)
    }

    var partState: State? {
        guard let access = lock.withLock({ access }) else { return nil }
        return serializer.read(access.read)
    }

    func restore(_ state: State?) {
        guard let state else {
            restoration = .end
            return
        }
        // Called again after the wiring, whose effects on the state it undoes.
        restoration = .state
        lock.withLock { access }?.write(state)
    }

    func startsLater(_ action: @escaping () -> Void) {
        lock.withLock { if access != nil { start = action } }
    }

    func resume() {
        let action = lock.withLock {
            defer { start = nil }
            return start
        }
        action?()
    }

    func dispose() {
        let former = lock.withLock {
            defer { (access, start) = (nil, nil) }
            return (access, start)
        }
        // Released after unlocking, because the deinitializers of captured values are foreign code.
        withExtendedLifetime(former) {}
    }
}
