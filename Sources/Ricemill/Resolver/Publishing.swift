public import CombineCore

/// The inside of a machine's input: what views send comes out here. Only the machine makes one, for
/// ``ResolverType/polish(input:store:extra:)``.
@dynamicMemberLookup
public final class Publishing<Input: InputType> {
    private let input: Input

    init(_ input: Input) {
        self.input = input
    }

    /// The stream of a subject, or of a `@Published` property by its `$name`. It can be subscribed to and nothing else.
    public subscript<P: Publisher>(dynamicMember keyPath: KeyPath<Input, P>) -> AnyPublisher<P.Output, P.Failure> {
        CompiledErasure.erase(input[keyPath: keyPath])
    }
}

extension Publishing where Input: BindableInputType {
    /// The current value of a `@Published` property.
    public subscript<Value>(dynamicMember keyPath: ReferenceWritableKeyPath<Input, Value>) -> Value {
        input[keyPath: keyPath]
    }
}
