public import CombineCore

/// The view's side of a machine's output. Its members can be read and subscribed to. Subjects cannot be sent to,
/// provided that they are declared with `let`.
@dynamicMemberLookup
public final class OutputProxy<Output: OutputType> {
    private let output: Output?
    /// The defect because of which there is no output. Only a machine that a host is validating can have one.
    package let defect: MachineDefect?

    /// Creates a proxy for an output. Machines do this for their outputs, and mocks for theirs.
    public init(_ output: Output) {
        self.output = output
        defect = nil
    }

    init(defect: MachineDefect) {
        output = nil
        self.defect = defect
    }

    /// The underlying output, in which a host finds the outputs of a machine by reflection.
    package var base: Output {
        guard let output else {
            preconditionFailure(defect?.description ?? "expected an output, got neither an output nor a defect")
        }
        return output
    }

    /// The current value of a property.
    public subscript<Value>(dynamicMember keyPath: ReferenceWritableKeyPath<Output, Value>) -> Value {
        base[keyPath: keyPath]
    }

    /// The current value of a subject that has one.
    public subscript<Value, Failure>(
        dynamicMember keyPath: KeyPath<Output, CurrentValueSubject<Value, Failure>>
    ) -> Value {
        base[keyPath: keyPath].value
    }

    /// The values of a publisher, of a subject, or of a `@Published` property by its `$name`.
    public subscript<P: Publisher>(dynamicMember keyPath: KeyPath<Output, P>) -> AnyPublisher<P.Output, P.Failure> {
        base[keyPath: keyPath].eraseToAnyPublisher()
    }
}

extension OutputProxy where Output: StoredOutputType {
    /// A two-way binding to a property, if the context requires one, as in a view that dismisses an alert. Without a
    /// type annotation, `output.isAlertShown` is the value.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember keyPath: ReferenceWritableKeyPath<Output, Value>) -> Binding<Value> {
        let base = base
        return Binding(get: { base[keyPath: keyPath] }, set: { base[keyPath: keyPath] = $0 })
    }
}
