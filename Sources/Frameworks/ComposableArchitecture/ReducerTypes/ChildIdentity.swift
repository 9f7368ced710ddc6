import CasePaths

/// The identity of the child in optional state.
struct ChildIdentity: Equatable {
    /// The number of the child's case and its id; `true` if it has neither, nil if there is no child.
    let id: AnyHashable?

    static var absent: ChildIdentity { ChildIdentity(of: Never?.none) }

    /// Reads the identity of a child whose state may be an enum with a case for each kind of child.
    ///
    /// Another case is another child, also if both have the same id or none.
    init<State>(of state: State?) {
        guard let state else {
            id = nil
            return
        }
        let own = Self.id(of: state)
        guard let found = Self.readCase(of: state) else {
            id = own ?? AnyHashable(true)
            return
        }
        id = [AnyHashable(found.number), AnyHashable(own ?? found.id)] as [AnyHashable]
    }

    /// Reads the identity of the child in one case of enum state.
    init<Root, State>(of state: State?, in root: Root) {
        // Not the case of the child's state: a child may change it, as its own concern.
        id = state.map { Self.id(of: root) ?? Self.id(of: $0) ?? AnyHashable(true) }
    }

    /// Returns whether the child has the stored effects with a name.
    func owns(_ name: String, at place: ChildPlace) -> Bool {
        guard let id else { return false }
        if ChildID(place: place, id: id).owns(name) { return true }
        // Earlier builds have stored effects under ids without the case.
        return id.base is [AnyHashable] && !place.hasCase(name)
    }

    private static func id<State>(of state: State) -> AnyHashable? {
        func id<Known: Identifiable>(_ state: Known) -> AnyHashable { AnyHashable(state.id) }
        return (state as? any Identifiable).map { id($0) }
    }

    /// Returns the number of the case, and the id of its value. Returns nil if the state is not an enum.
    private static func readCase<State>(of state: State) -> (number: Int, id: AnyHashable?)? {
        if let state = state as? any CaseReducerState {
            let (number, value) = state._$case
            return (number, id(of: value))
        }
        guard let shape = EnumShape(State.self) else { return nil }
        let tag = shape.tag(of: state)
        let found = shape.cases[tag]
        let payload = found.payload as? any Identifiable.Type
        return (tag, payload.map { $0.id(in: state, of: shape) })
    }
}

extension Identifiable {
    /// Returns the id of the value of this type in the current case of an enum.
    fileprivate static func id<Root>(in root: Root, of shape: EnumShape) -> AnyHashable {
        AnyHashable(shape.payload(of: root, as: Self.self).id)
    }
}
