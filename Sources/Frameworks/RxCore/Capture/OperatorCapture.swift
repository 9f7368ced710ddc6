import CombineCore
public import StateCapture

/// The captured side of one operator's subscription. Exists only if the subscription is made while a session's machine
/// is wired.
///
/// An operator registers its state with ``keep(_:holding:_:_:)`` before it subscribes to its sources. If the machine is
/// restored, the state then already contains what the sources had sent, so what they send during the wiring is ignored.
@usableFromInline
final class OperatorCapture {
    private enum Phase {
        /// There is no stored state.
        case new
        /// The stored state was put back.
        case restored
        case ended
    }

    private let group: CompositeDisposable
    /// Protects the state from threads that send to the operator while the session's loop reads it.
    let serializer: Serializer
    private var phase = Phase.new
    private var parts: [any RestartablePart] = []
    private var scope: StateScope?

    /// Creates the captured side of a subscription.
    ///
    /// - Parameters:
    ///   - group: The group of the subscription. When it is disposed of, the operator has ended.
    ///   - serializer: The serializer inside which the operator uses its state.
    init(_ group: CompositeDisposable, _ serializer: Serializer) {
        self.group = group
        self.serializer = serializer
    }

    /// Returns nil outside of the wiring of a session's machine.
    @inlinable
    static func current(_ group: CompositeDisposable, _ serializer: Serializer? = nil) -> OperatorCapture? {
        StateRegistry.current == nil ? nil : make(group, serializer)
    }

    /// Out of line, because it is not on the path of subscriptions outside of sessions.
    @usableFromInline
    static func make(_ group: CompositeDisposable, _ serializer: Serializer?) -> OperatorCapture {
        OperatorCapture(group, serializer ?? Serializer(group))
    }

    /// Whether the operator's state was put back, or the operator had ended.
    var isRestored: Bool {
        if case .new = phase { false } else { true }
    }

    var hasEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    /// Captures a part of the operator's state.
    ///
    /// - Parameters:
    ///   - name: The name of the operator.
    ///   - value: The type of value that must be `Codable`.
    ///   - write: Puts back a stored state.
    @usableFromInline
    func keep<State>(
        _ name: StaticString, holding value: any Any.Type, _ read: @escaping () -> State,
        _ write: @escaping (State) -> Void
    ) {
        let part = OperatorPart(serializer, read, write)
        group.add(part)
        StateRegistry.current?.register(part, named: "\(name)", holding: [value])
        if StateRegistry.canCapture(value) { parts.append(part) }
        switch part.restoration {
        case .none: break
        case .state: if !hasEnded { phase = .restored }
        case .end: phase = .ended
        }
    }

    /// Captures the parts of a source that the operator subscribes to later, or instead of another one.
    func makeScope(_ name: StaticString) {
        scope = StateRegistry.current?.makeScope(named: "\(name)")
    }

    /// Whether such a source was subscribed to before the machine was restored, even if it has ended.
    var hasWiredLater: Bool { scope?.isStored ?? false }

    /// Subscribes to such a source.
    func wireLater(_ subscribe: () -> Void) {
        if let scope { scope.wire(subscribe) } else { subscribe() }
    }

    /// Captures whether the operator has ended, and nothing else.
    @usableFromInline
    func keep(_ name: StaticString) {
        keep(name, holding: Bool.self, { true }, { _ in })
    }

    /// Runs an action now, or after the wiring if the machine is restored. Does nothing if the operator had ended.
    ///
    /// - Parameter beforeOthers: Whether the action precedes those of most other operators.
    func start(beforeOthers: Bool = false, _ action: @escaping () -> Void) {
        guard let registry = StateRegistry.restoring else { return action() }
        guard !hasEnded else { return }
        // A part that cannot be captured is not notified of the end of the wiring.
        if !beforeOthers, let part = parts.first { part.startsLater(action) } else { registry.afterWiring(action) }
    }

    /// Makes a subscription that follows an event of a source.
    ///
    /// Subscriptions that follow from a value are not captured: their number depends on the values, and a restored wiring, in
    /// which sources send none, could not repeat them.
    @inlinable
    static func withoutCapture<Result>(_ body: () -> Result) -> Result {
        StateRegistry.current == nil ? body() : StateRegistry.withoutRegistry(body)
    }

    /// Sends the values with which a source begins to a new subscriber, unless a machine is being restored.
    @inlinable
    static func sendInitialValues(_ send: () -> Void) {
        if StateRegistry.isRestoring { return }
        withoutCapture(send)
    }

    /// Sends the completion of an operator that had ended. Called after the operator has subscribed to its sources.
    // Only then, so that the sources' own parts register in the same order as when the machine was first wired.
    @usableFromInline
    func finish<Element>(_ observer: AnyObserver<Element>) {
        if hasEnded { observer.onCompleted() }
    }
}

extension ObservableConvertibleType {
    /// Subscribes on behalf of a stateful operator.
    @inlinable
    func listen(
        _ group: CompositeDisposable, _ capture: OperatorCapture?, _ handler: @escaping (Event<Element>) -> Void
    ) {
        guard let capture else { return listen(group, handler) }
        listenCaptured(group, capture, handler)
    }

    @usableFromInline
    func listenCaptured(
        _ group: CompositeDisposable, _ capture: OperatorCapture, _ handler: @escaping (Event<Element>) -> Void
    ) {
        let serializer = capture.serializer
        let handler = { (event: Event<Element>) in serializer.run { handler(event) } }
        if capture.isRestored { listenSilently(group, handler) } else { listen(group, handler) }
    }

    /// Subscribes on behalf of a stateful operator that enters its serializer itself, because it does a part of its work
    /// outside.
    func listenUnserialized(
        _ group: CompositeDisposable, _ capture: OperatorCapture?, _ handler: @escaping (Event<Element>) -> Void
    ) {
        if capture?.isRestored ?? false { listenSilently(group, handler) } else { listen(group, handler) }
    }

    /// Subscribes, and ignores the events that the source sends during the subscription.
    func listenSilently(_ group: CompositeDisposable, _ handler: @escaping (Event<Element>) -> Void) {
        let subscriber = ObserverSubscriber(AnyObserver<Element> { _ in })
        group.add(subscriber)
        source.receive(subscriber: subscriber)
        subscriber.replaceObserver(AnyObserver(eventHandler: handler))
    }
}
