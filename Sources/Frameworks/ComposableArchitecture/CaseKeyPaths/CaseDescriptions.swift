public import CasePaths

extension PresentationAction {
    /// The cases.
    public static var _$cases: [CaseDescription] {
        [
            CaseDescription("dismiss") { _ in PresentationAction.dismiss },
            CaseDescription("presented", [(nil, Action.self)]) { values in
                _$value(values, 0, as: Action.self).map(PresentationAction.presented)
            },
        ]
    }
}

extension StackAction {
    /// The cases.
    public static var _$cases: [CaseDescription] {
        [
            CaseDescription("element", [("id", StackElementID.self), ("action", Action.self)]) { values in
                guard let id = _$value(values, 0, as: StackElementID.self),
                    let action = _$value(values, 1, as: Action.self)
                else { return nil }
                return StackAction.element(id: id, action: action)
            },
            CaseDescription("popFrom", [("id", StackElementID.self)]) { values in
                _$value(values, 0, as: StackElementID.self).map { StackAction.popFrom(id: $0) }
            },
            CaseDescription("push", [("id", StackElementID.self), ("state", State.self)]) { values in
                guard let id = _$value(values, 0, as: StackElementID.self),
                    let state = _$value(values, 1, as: State.self)
                else { return nil }
                return StackAction.push(id: id, state: state)
            },
        ]
    }
}

extension IdentifiedAction {
    /// The cases.
    public static var _$cases: [CaseDescription] {
        [
            CaseDescription("element", [("id", ID.self), ("action", Action.self)]) { values in
                guard let id = _$value(values, 0, as: ID.self), let action = _$value(values, 1, as: Action.self)
                else { return nil }
                return IdentifiedAction.element(id: id, action: action)
            }
        ]
    }
}
