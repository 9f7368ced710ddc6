import MachineHost

/// The response to an input whose method throws.
///
/// The reason is a clause without a full stop, for whoever has sent the input: `the account has less than 5 EUR`.
public enum InputRejection: Equatable, Sendable {
    /// The state of the machine does not allow the input: 409.
    case conflict(String)
    /// The machine rejects the value of the input: 422.
    case invalidValue(String)

    var refusal: InputRefusal {
        switch self {
        case .conflict(let reason): InputRefusal(reason: reason, kind: .machine)
        case .invalidValue(let reason): InputRefusal(reason: reason, kind: .invalidValue)
        }
    }
}
