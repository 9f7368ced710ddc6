public import CombineCore

/// The outside of a machine's input: it can be sent to, and nothing that it holds can be subscribed to.
@dynamicMemberLookup
public final class InputProxy<Input: InputType> {
    /// What the proxy hides, for the host, which finds the inputs of a machine by reflection.
    package let base: Input

    /// Hides an input. Machines do it for theirs; stand-ins for machines (mocks) do it with their own.
    public init(_ input: Input) {
        base = input
    }

    /// The door to one subject.
    public subscript<S: Subject>(dynamicMember keyPath: KeyPath<Input, S>) -> SubjectProxy<S> {
        SubjectProxy(base[keyPath: keyPath])
    }
}

extension InputProxy where Input: BindableInputType {
    /// A two-way binding to one `@Published` property.
    public subscript<Value>(dynamicMember keyPath: ReferenceWritableKeyPath<Input, Value>) -> Binding<Value> {
        let base = base
        return Binding(get: { base[keyPath: keyPath] }, set: { base[keyPath: keyPath] = $0 })
    }
}
