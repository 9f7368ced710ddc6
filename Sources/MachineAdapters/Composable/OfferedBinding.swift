public import ComposableArchitecture
import MachineHost

/// A property of a composable machine's state that clients may set.
public struct OfferedBinding<State, Action>: @unchecked Sendable {
    // Sendable because the closure captures a key path and types.
    let input: InputDefinition

    private init(_ input: InputDefinition) {
        self.input = input
    }
}

extension OfferedBinding where Action: BindableAction & SendableMetatype, Action.State == State {
    /// A property that is made to be set: the input `binding.name` takes its value, and sends the binding action.
    public static func property<Value: Equatable & Decodable & SendableMetatype>(
        _ name: String, _ keyPath: any WritableKeyPath<State, BindableState<Value>> & Sendable
    ) -> OfferedBinding {
        offered(name) { (value: Value) in .binding(.set(keyPath, value)) }
    }

    /// Any property: the input `binding.name` takes its value, and sends the binding action.
    public static func property<Value: Equatable & Decodable & SendableMetatype>(
        _ name: String, _ keyPath: any WritableKeyPath<State, Value> & Sendable
    ) -> OfferedBinding {
        offered(name) { (value: Value) in .binding(.set(keyPath, value)) }
    }

    private static func offered<Value: Decodable & SendableMetatype>(
        _ name: String, _ action: @escaping @Sendable (Value) -> Action
    ) -> OfferedBinding {
        guard let reader = ValueReader<Value>() else {
            preconditionFailure("\(Value.self) is Decodable and has no reader")
        }
        return OfferedBinding(
            InputDefinition(name: "binding.\(name)", schema: reader.schema) { json throws(InputMismatch) in
                let action = action(try reader.read(json))
                return PreparedInput { machine throws(InputRefusal) in
                    guard let machine = machine as? any ActionTaking else {
                        preconditionFailure(
                            "a binding was prepared for a composable machine, run on a \(type(of: machine))")
                    }
                    guard let missing = machine.take(action) else { return }
                    throw InputRefusal(reason: "the state of \"binding.\(name)\" \(missing.absence)")
                }
            })
    }
}

/// A machine that takes actions, whatever the type of its state.
protocol ActionTaking {
    /// Sends an action of the machine's own type. Returns the state that it needs if that does not exist.
    func take(_ action: Any) -> MissingState?
}

extension ComposableMachine: ActionTaking {
    func take(_ action: Any) -> MissingState? {
        guard let action = action as? Action else {
            preconditionFailure("expected an action of type \(Action.self), got a \(type(of: action))")
        }
        return send(action)
    }
}
