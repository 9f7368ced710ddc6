public import RxCore

/// The outside of a stream's input: it can be sent to, and nothing that it holds can be observed.
@dynamicMemberLookup
public final class InputWrapper<T: InputType> {
    /// What the wrapper hides, for the host, which finds the inputs of a stream by reflection.
    package let base: T

    /// Hides an input. Streams do it for theirs; mocks do it with their own.
    public init(_ base: T) {
        self.base = base
    }

    /// The door to a relay, as a function: `stream.input.search("x")`.
    public subscript<U: PublishRelayType>(dynamicMember keyPath: KeyPath<T, U>) -> (U.Element) -> Void {
        base[keyPath: keyPath].accept
    }

    /// The door to a relay, to bind to. Errors and completions are dropped: a relay never ends.
    public subscript<U: PublishRelayType>(dynamicMember keyPath: KeyPath<T, U>) -> AnyObserver<U.Element> {
        let relay = base[keyPath: keyPath]
        return AnyObserver { event in
            if case .next(let element) = event { relay.accept(element) }
        }
    }

    /// The door to a subject, to bind to. All events pass: an error or a completion ends the input for good.
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

    /// The door to a relay, to bind to.
    @available(*, deprecated, message: "Use the input's name: `bind(to: input.name)`.")
    public func accept<U: PublishRelayType>(for keyPath: KeyPath<T, U>) -> AnyObserver<U.Element> {
        self[dynamicMember: keyPath]
    }

    /// Sends an event to a subject.
    @available(*, deprecated, message: "Use the input's name: `input.name.on(event)`.")
    public func onEvent<O: ObserverType>(_ event: Event<O.Element>, for keyPath: KeyPath<T, O>) {
        base[keyPath: keyPath].on(event)
    }

    /// The door to a subject, to bind to.
    @available(*, deprecated, message: "Use the input's name: `bind(to: input.name)`.")
    public func onEvent<O: ObserverType>(for keyPath: KeyPath<T, O>) -> AnyObserver<O.Element> {
        AnyObserver(base[keyPath: keyPath])
    }
}
