public import ComposableArchitecture
import MachineAdapters
import MachineHost

/// A property of a state that clients may set by a binding action.
public struct OfferedBinding<State, Action>: @unchecked Sendable {
    // Sendable: the closure captures a key path and types.
    let input: InputDefinition

    private init(_ input: InputDefinition) {
        self.input = input
    }
}

extension OfferedBinding where Action: BindableAction & SendableMetatype, Action.State == State {
    /// Offers a `BindableState` property as the input `binding.name`, whose value is sent as a binding action.
    public static func property<Value: Equatable & Decodable & SendableMetatype>(
        _ name: String, _ keyPath: any WritableKeyPath<State, BindableState<Value>> & Sendable
    ) -> OfferedBinding {
        offered(name) { (value: Value) in .binding(.set(keyPath, value)) }
    }

    /// Offers a property as the input `binding.name`, whose value is sent as a binding action.
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

/// Accepts actions without knowledge of the state's type.
protocol ActionTaking {
    /// Sends an action of the machine's own type. If the targeted state does not exist, changes nothing and returns the
    /// missing state.
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
