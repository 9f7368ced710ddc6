import MachineHost

/// An input of an observable class: a method with at most one value, or a property that clients may set.
///
/// ```swift
/// [.call("increment", Counter.increment), .call("load", Counter.load(_:)), .set("query", \.query)]
/// ```
///
/// A closure that returns a function adapts a method of another form: `.call("add ten") { counter in { counter.add(10, to: .left) } }`.
///
/// The work of an asynchronous method between two suspensions is a turn. The method is cancelled with the session.
public struct ObservableInput<Root: AnyObject>: @unchecked Sendable {
    // Sendable: the closures capture functions and key paths, which have no mutable state.
    typealias Run = (Root, ObservableMachine<Root>) throws(InputRefusal) -> Void

    let name: String
    let schema: JSONSchema
    /// Whether the method may throw before its input is answered.
    let canThrow: Bool
    let isAsynchronous: Bool
    let prepare: (ArraySlice<UInt8>) throws(InputMismatch) -> Run

    private init<Value>(
        _ name: String, canThrow: Bool, isAsynchronous: Bool = false, _ reader: ValueReader<Value>,
        run: @escaping (Root, Value, ObservableMachine<Root>) throws(InputRefusal) -> Void
    ) {
        self.name = name
        schema = reader.schema
        self.canThrow = canThrow
        self.isAsynchronous = isAsynchronous
        prepare = { json throws(InputMismatch) in
            let value = try reader.read(json)
            return { root, machine throws(InputRefusal) in try run(root, value, machine) }
        }
    }

    /// Offers a property that clients may set.
    ///
    /// - Parameters:
    ///   - name: The name that clients use; unique among the inputs.
    ///   - keyPath: The property.
    public static func set<Value: Decodable>(
        _ name: String, _ keyPath: ReferenceWritableKeyPath<Root, Value>
    ) -> ObservableInput {
        ObservableInput(name, canThrow: false, ValueReader(decoding: Value.self)) { root, value, _ in
            root[keyPath: keyPath] = value
        }
    }

    static func synchronous<Value, Failure: Error>(
        _ name: String, _ reader: ValueReader<Value>, _ method: @escaping (Root) -> (Value) throws(Failure) -> Void
    ) -> ObservableInput {
        ObservableInput(name, canThrow: Failure.self != Never.self, reader) {
            root, value, machine throws(InputRefusal) in
            do {
                try method(root)(value)
            } catch {
                throw machine.refusal(for: error)
            }
        }
    }

    static func asynchronous<Value, Failure: Error>(
        _ name: String, _ reader: ValueReader<Value>,
        start: @escaping (Root, Value, ObservableMachine<Root>) -> (any Error)?, _: Failure.Type
    ) -> ObservableInput {
        ObservableInput(name, canThrow: Failure.self != Never.self, isAsynchronous: true, reader) {
            root, value, machine throws(InputRefusal) in
            if let error = start(root, value, machine) { throw machine.refusal(for: error) }
        }
    }
}

// Methods of classes that belong to no actor. Where the main actor is, the methods of a class that is isolated to it convert to these
// forms, too, so the compiler must prefer those of `MainActorInput`.
extension ObservableInput {
    /// Offers a method without a value. If it throws, the registration states the response.
    @_disfavoredOverload
    public static func call<Failure: Error>(
        _ name: String, _ method: @escaping (Root) -> () throws(Failure) -> Void
    ) -> ObservableInput {
        synchronous(name, .nothing) { root in { _ throws(Failure) in try method(root)() } }
    }

    /// Offers a method with a value. If it throws, the registration states the response.
    @_disfavoredOverload
    public static func call<Value: Decodable, Failure: Error>(
        _ name: String, _ method: @escaping (Root) -> (Value) throws(Failure) -> Void
    ) -> ObservableInput {
        synchronous(name, ValueReader(decoding: Value.self), method)
    }

    /// Offers an asynchronous method without a value. All of it runs on the session's loop.
    @_disfavoredOverload
    public static func call<Failure: Error>(
        _ name: String, _ method: @escaping (Root) -> () async throws(Failure) -> Void
    ) -> ObservableInput {
        asynchronous(
            name, .nothing,
            start: { root, _, machine in machine.tasks.start(name) { try await method(root)() } }, Failure.self)
    }

    /// Offers an asynchronous method with a value. All of it runs on the session's loop.
    @_disfavoredOverload
    public static func call<Value: Decodable, Failure: Error>(
        _ name: String, _ method: @escaping (Root) -> (Value) async throws(Failure) -> Void
    ) -> ObservableInput {
        asynchronous(
            name, ValueReader(decoding: Value.self),
            start: { root, value, machine in machine.tasks.start(name) { try await method(root)(value) } },
            Failure.self)
    }
}

extension ValueReader where Value == Void {
    /// The reader of inputs without a value.
    static var nothing: ValueReader<Void> {
        guard let reader = ValueReader<Void>() else { preconditionFailure("expected a reader of nothing") }
        return reader
    }
}
