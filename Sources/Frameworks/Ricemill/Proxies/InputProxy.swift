public import CombineCore

/// The view's side of a machine's input. Its members can be sent to, but not subscribed to.
@dynamicMemberLookup
public final class InputProxy<Input: InputType> {
    /// The underlying input, in which a host finds the inputs of a machine by reflection.
    package let base: Input

    /// Creates a proxy for an input. Machines do this for their inputs, and mocks for theirs.
    public init(_ input: Input) {
        base = input
    }

    /// A proxy that sends to one subject.
    public subscript<S: Subject>(dynamicMember keyPath: KeyPath<Input, S>) -> SubjectProxy<S> {
        SubjectProxy(base[keyPath: keyPath])
    }
}

extension InputProxy where Input: BindableInputType {
    /// A two-way binding to one `@Published` property.
    public subscript<Value>(dynamicMember keyPath: ReferenceWritableKeyPath<Input, Value>) -> Binding<Value> {
        // The closures retain the input instead of the proxy.
        let base = base
        return Binding(get: { base[keyPath: keyPath] }, set: { base[keyPath: keyPath] = $0 })
    }
}
