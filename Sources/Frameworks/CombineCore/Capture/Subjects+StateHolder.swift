import Locking
public import StateCapture

/// The captured state of a subject with a current value.
public struct StoredSubject<Output, Failure: Error>: Codable {
    var value: StoredValue<Output>
    var completion: StoredCompletion<Failure>?
}

extension CurrentValueSubject: StateHolder {
    /// The type of the value.
    public static var heldTypes: [any Any.Type] { [Output.self] }

    /// The value, and whether the subject has finished.
    public var heldState: StoredSubject<Output, Failure> {
        lock.withLock { StoredSubject(value: StoredValue(latest), completion: StoredCompletion(completion)) }
    }

    /// Puts a value back without sending it.
    public func restoreHeld(_ state: StoredSubject<Output, Failure>) {
        lock.lock()
        let former = latest
        latest = state.value.value
        completion = state.completion?.completion
        lock.unlock()
        withExtendedLifetime(former) {}
    }

    /// Registers the subject with the registry of the machine that the calling thread is wiring.
    // Out of line, so that other subjects cost a branch. So are those below.
    @usableFromInline
    @inline(never)
    func registerCreated() {
        StateRegistry.current?.register(created: self, named: "currentValueSubject")
    }
}

/// The captured state of a subject without a value.
public struct StoredEnd<Failure: Error>: Codable {
    var completion: StoredCompletion<Failure>?
}

extension PassthroughSubject: StateHolder {
    /// Whether the subject has finished.
    public var heldState: StoredEnd<Failure> {
        StoredEnd(completion: lock.withLock { StoredCompletion(completion) })
    }

    /// Puts the end of the subject back without sending it.
    public func restoreHeld(_ state: StoredEnd<Failure>) {
        lock.withLock { completion = state.completion?.completion }
    }

    /// Registers the subject with the registry of the machine that the calling thread is wiring.
    @usableFromInline
    @inline(never)
    func registerCreated() {
        StateRegistry.current?.register(created: self, named: "passthroughSubject")
    }
}

extension PublishedBox: StateHolder {
    @usableFromInline static var heldTypes: [any Any.Type] { [Value.self] }

    @usableFromInline var heldState: StoredValue<Value> { StoredValue(current) }

    /// Puts a value back without announcing or sending it.
    @usableFromInline
    func restoreHeld(_ state: StoredValue<Value>) {
        store(state.value)
    }

    /// Registers the property with the registry of the machine that the calling thread is wiring.
    // The storage, because nothing else of a property outlives the initializer of the object that it belongs to.
    @usableFromInline
    @inline(never)
    func registerCreated() {
        StateRegistry.current?.register(created: self, named: "publishedProperty")
    }
}

extension Published: StateHolder {
    /// The type of the value.
    public static var heldTypes: [any Any.Type] { [Value.self] }

    /// The storage, which all copies of the property share.
    public var holdingObject: AnyObject? { box }

    /// The value.
    public var heldState: StoredValue<Value> { StoredValue(box.current) }

    /// Puts a value back without announcing or sending it.
    public func restoreHeld(_ state: StoredValue<Value>) {
        box.store(state.value)
    }
}

// The factory makes these anew: they have no state of their own.
extension AnyCancellable: WiringProperty {}
extension AnyPublisher: WiringProperty {}
extension ObservableObjectPublisher: WiringProperty {}
extension Published.Publisher: WiringProperty {}
extension Publishers.Share: WiringProperty {}
extension Publishers.Multicast: WiringProperty {}
extension Publishers.MakeConnectable: WiringProperty {}
extension Publishers.Autoconnect: WiringProperty {}
