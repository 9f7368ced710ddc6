#if canImport(Combine) && canImport(Darwin)
    public import Combine
#else
    public import CombineCore
#endif

// Publishers, beside `$outputs` and `$status`.
extension RemoteMachine {
    /// The changes from now on. It finishes when the session has ended or the machine was closed.
    public var changePublisher: AnyPublisher<MachineChange<Schema>, Never> { changeSubject.eraseToAnyPublisher() }

    /// The events that the machine emits from now on, in order.
    public var events: AnyPublisher<Schema.Events, Never> {
        changeSubject.flatMap { $0.events.publisher }.eraseToAnyPublisher()
    }

    /// Returns the values of one output: the current one, and then each that differs from the one before.
    public func publisher<Value: Equatable>(for output: KeyPath<Schema.Outputs, Value>) -> AnyPublisher<Value, Never> {
        $outputs.map { $0[keyPath: output] }.removeDuplicates().eraseToAnyPublisher()
    }
}
