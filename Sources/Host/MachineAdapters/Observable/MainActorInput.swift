import Locking
import MachineHost

/// An input of an observable class that is isolated to the main actor, which is the session's loop. See ``ObservableInput``.
///
/// A type of its own, so that the compiler need not try each form of a method for both kinds of classes.
public struct MainActorInput<Root: AnyObject & Sendable>: Sendable {
    let input: ObservableInput<Root>

    private init(_ input: ObservableInput<Root>) {
        self.input = input
    }

    /// Offers a property that clients may set.
    ///
    /// - Parameters:
    ///   - name: The name that clients use; unique among the inputs.
    ///   - keyPath: The property.
    @_disfavoredOverload
    public static func set<Value: Decodable>(
        _ name: String, _ keyPath: ReferenceWritableKeyPath<Root, Value>
    ) -> MainActorInput {
        MainActorInput(.set(name, keyPath))
    }

    /// Offers a method on the main actor without a value. If it throws, the registration states the response.
    public static func call<Failure: Error>(
        _ name: String, _ method: @escaping @MainActor (Root) -> @MainActor () throws(Failure) -> Void
    ) -> MainActorInput {
        let method = unsafeBitCast(method, to: ((Root) -> () throws(Failure) -> Void).self)
        return MainActorInput(.synchronous(name, .nothing) { root in { _ throws(Failure) in try method(root)() } })
    }

    /// Offers a method on the main actor with a value. If it throws, the registration states the response.
    public static func call<Value: Decodable, Failure: Error>(
        _ name: String, _ method: @escaping @MainActor (Root) -> @MainActor (Value) throws(Failure) -> Void
    ) -> MainActorInput {
        let method = unsafeBitCast(method, to: ((Root) -> (Value) throws(Failure) -> Void).self)
        return MainActorInput(.synchronous(name, ValueReader(decoding: Value.self), method))
    }

    /// Offers an asynchronous method on the main actor without a value.
    public static func call<Failure: Error>(
        _ name: String, _ method: @escaping @MainActor (Root) -> @MainActor () async throws(Failure) -> Void
    ) -> MainActorInput {
        MainActorInput(
            .asynchronous(
                name, .nothing,
                start: { root, _, machine in
                    machine.tasks.startOnMainActor(name) { try await method(root)() }
                }, Failure.self))
    }

    /// Offers an asynchronous method on the main actor with a value.
    public static func call<Value: Decodable, Failure: Error>(
        _ name: String, _ method: @escaping @MainActor (Root) -> @MainActor (Value) async throws(Failure) -> Void
    ) -> MainActorInput {
        MainActorInput(
            .asynchronous(
                name, ValueReader(decoding: Value.self),
                start: { root, value, machine in
                    let value = UnsafeTransfer(value)
                    return machine.tasks.startOnMainActor(name) { try await method(root)(value.value) }
                }, Failure.self))
    }
}
