extension Optional: ObservableIdentity where Wrapped: ObservableIdentity {
    /// The identity of the wrapped state.
    public var _$id: ObservableStateID { self?._$id ?? ._$inert }

    /// Prepares a modification of the wrapped state in place.
    public mutating func _$willModify() {
        self?._$willModify()
    }
}

extension PresentationState: ObservableIdentity where State: ObservableIdentity {
    /// The identity of the presented state.
    public var _$id: ObservableStateID { wrappedValue._$id }

    /// Prepares a modification of the presented state in place.
    public mutating func _$willModify() {
        wrappedValue._$willModify()
    }
}

// Elements keep their identity when they are modified in place: only the collection's own members (elements that come, go or
// move) concern the observers of the collection.

extension Array: ObservableIdentity where Element: ObservableIdentity {
    /// The identities of the elements.
    public var _$id: ObservableStateID { identity(of: self) }

    /// Does nothing: elements keep their identities.
    public mutating func _$willModify() {}
}

extension IdentifiedArray: ObservableIdentity where Element: ObservableIdentity {
    /// The identities of the elements.
    public var _$id: ObservableStateID { identity(of: self) }

    /// Does nothing: elements keep their identities.
    public mutating func _$willModify() {}
}

extension StackState: ObservableIdentity where Element: ObservableIdentity {
    /// The identities of the elements.
    public var _$id: ObservableStateID {
        zip(ids, self).reduce(._$inert) { $0._$combined(with: $1.1._$id._$tag($1.0.number)) }
    }

    /// Does nothing: elements keep their identities.
    public mutating func _$willModify() {}
}

private func identity<C: Collection>(of elements: C) -> ObservableStateID where C.Element: ObservableIdentity {
    elements.reduce(._$inert) { $0._$combined(with: $1._$id) }
}
