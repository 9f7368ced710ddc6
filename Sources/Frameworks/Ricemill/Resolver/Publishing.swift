public import CombineCore

/// The resolver's side of a machine's input, which publishes the values that views send. Only a machine creates one,
/// for ``ResolverType/polish(input:store:extra:)``.
@dynamicMemberLookup
public final class Publishing<Input: InputType> {
    private let input: Input

    init(_ input: Input) {
        self.input = input
    }

    /// The values of a subject, or of a `@Published` property by its `$name`. They can only be subscribed to.
    public subscript<P: Publisher>(dynamicMember keyPath: KeyPath<Input, P>) -> AnyPublisher<P.Output, P.Failure> {
        SpecializedErasure.erase(input[keyPath: keyPath])
    }
}

extension Publishing where Input: BindableInputType {
    /// The current value of a `@Published` property.
    public subscript<Value>(dynamicMember keyPath: ReferenceWritableKeyPath<Input, Value>) -> Value {
        input[keyPath: keyPath]
    }
}
