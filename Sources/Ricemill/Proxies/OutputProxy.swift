public import CombineCore

/// The outside of a machine's output: it can be read and subscribed to, and none of its subjects can be sent to (as long as
/// they are declared with `let`, like all subjects).
@dynamicMemberLookup
public final class OutputProxy<Output: OutputType> {
    private let output: Output?
    /// Why there is no output. Only a machine that a host is trying out can have one.
    package let defect: MachineDefect?

    /// Hides an output. Machines do it for theirs; stand-ins for machines (mocks) do it with their own.
    public init(_ output: Output) {
        self.output = output
        defect = nil
    }

    init(defect: MachineDefect) {
        output = nil
        self.defect = defect
    }

    /// What the proxy hides, for the host, which finds the outputs of a machine by reflection.
    package var base: Output {
        guard let output else { preconditionFailure(defect?.description ?? "an output was expected") }
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

    /// The stream of a publisher, of a subject, or of a `@Published` property by its `$name`.
    public subscript<P: Publisher>(dynamicMember keyPath: KeyPath<Output, P>) -> AnyPublisher<P.Output, P.Failure> {
        base[keyPath: keyPath].eraseToAnyPublisher()
    }
}

extension OutputProxy where Output: StoredOutputType {
    /// A two-way binding to a property, where one is asked for (a view that dismisses an alert writes what it shows):
    /// `output.isAlertShown` without a type is the value.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember keyPath: ReferenceWritableKeyPath<Output, Value>) -> Binding<Value> {
        let base = base
        return Binding(get: { base[keyPath: keyPath] }, set: { base[keyPath: keyPath] = $0 })
    }
}
