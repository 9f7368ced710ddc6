import CasePaths

/// State whose presentation ends with any of its actions.
public protocol EphemeralState {
    /// The actions of the buttons.
    associatedtype Action
}

extension AlertState: EphemeralState {}
extension ConfirmationDialogState: EphemeralState {}

/// The type of ephemeral state that a child has, as its state or as the value of its case.
struct EphemeralType {
    private let type: any EphemeralState.Type

    /// Reads the type. Returns nil if the state stays until it is dismissed.
    init?<State>(of state: State?) {
        guard let state else { return nil }
        if let type = State.self as? any EphemeralState.Type {
            self.type = type
        } else if let shape = EnumShape(State.self),
            let type = shape.cases[shape.tag(of: state)].payload as? any EphemeralState.Type
        {
            self.type = type
        } else {
            return nil
        }
    }

    /// Returns whether a button of the state sends an action: the action itself, or the value of its case.
    func sends<Action>(_ action: Action) -> Bool {
        let own = type.actionType
        if Action.self == own { return true }
        return EnumShape(Action.self).map { $0.cases[$0.tag(of: action)].payload == own } ?? false
    }
}

extension EphemeralState {
    fileprivate static var actionType: any Any.Type { Action.self }
}
