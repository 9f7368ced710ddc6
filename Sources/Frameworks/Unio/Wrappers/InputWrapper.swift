public import RxCore

/// The view's side of a stream's input. Its members can be sent to, but not observed.
@dynamicMemberLookup
public final class InputWrapper<T: InputType> {
    /// The underlying input, in which a host finds the inputs of a stream by reflection.
    package let base: T

    /// Creates a wrapper for an input. Streams do this for their inputs, and mocks for theirs.
    public init(_ base: T) {
        self.base = base
    }

    /// A function that sends an element to a relay: `stream.input.search("x")`.
    public subscript<U: PublishRelayType>(dynamicMember keyPath: KeyPath<T, U>) -> (U.Element) -> Void {
        base[keyPath: keyPath].accept
    }

    /// An observer that sends elements to a relay, for bindings. Errors and completions are dropped because a relay
    /// never terminates.
    public subscript<U: PublishRelayType>(dynamicMember keyPath: KeyPath<T, U>) -> AnyObserver<U.Element> {
        // The observer retains the relay instead of the wrapper.
        let relay = base[keyPath: keyPath]
        return AnyObserver { event in
            if case .next(let element) = event { relay.accept(element) }
        }
    }

    /// An observer that sends events to a subject, for bindings. An error or a completion terminates the input
    /// permanently.
    public subscript<O: ObserverType>(dynamicMember keyPath: KeyPath<T, O>) -> AnyObserver<O.Element> {
        AnyObserver(base[keyPath: keyPath])
    }
}

extension InputWrapper {
    /// Sends an element to a relay.
    @available(*, deprecated, message: "Call the input by its name: `input.name(element)`.")
    public func accept<U: PublishRelayType>(_ element: U.Element, for keyPath: KeyPath<T, U>) {
        base[keyPath: keyPath].accept(element)
    }

    /// Returns an observer that sends elements to a relay.
    @available(*, deprecated, message: "Use the input's name: `bind(to: input.name)`.")
    public func accept<U: PublishRelayType>(for keyPath: KeyPath<T, U>) -> AnyObserver<U.Element> {
        self[dynamicMember: keyPath]
    }

    /// Sends an event to a subject.
    @available(*, deprecated, message: "Use the input's name: `input.name.on(event)`.")
    public func onEvent<O: ObserverType>(_ event: Event<O.Element>, for keyPath: KeyPath<T, O>) {
        base[keyPath: keyPath].on(event)
    }

    /// Returns an observer that sends events to a subject.
    @available(*, deprecated, message: "Use the input's name: `bind(to: input.name)`.")
    public func onEvent<O: ObserverType>(for keyPath: KeyPath<T, O>) -> AnyObserver<O.Element> {
        AnyObserver(base[keyPath: keyPath])
    }
}
