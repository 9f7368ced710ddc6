import Locking
public import StateCapture

extension Published: StateHolder {
    /// The stored value.
    public var heldState: Value { box.current }
    /// Puts a stored value back without publishing it.
    public func restoreHeld(_ state: Value) { box.store(state) }
}

extension CurrentValueSubject: StateHolder {
    /// The latest value.
    public var heldState: Output { value }
    /// Puts a stored value back without sending it.
    public func restoreHeld(_ state: Output) { lock.withLock { latest = state } }
}

extension PassthroughSubject: WiringProperty {}
extension AnyPublisher: WiringProperty {}
extension AnyCancellable: WiringProperty {}
extension ObservableObjectPublisher: WiringProperty {}
