public import Observation

/// State of a feature whose members are observed one by one. `@ObservableState` adds the conformance.
///
/// A store of such state is observed through its members: `Store/subscript(dynamicMember:)`. A hosted machine encodes only the
/// members that a turn has changed.
public protocol ObservableState: Observable, ObservableIdentity {
    /// The names of the members whose changes ``_$takeChanges(since:)`` reports, in the order of their numbers, as the state
    /// encodes them. Empty if the state encodes itself in another way.
    static var _$memberNames: [String] { get }

    /// Returns the members that have changed since a baseline, and makes the present content the baseline.
    ///
    /// - Parameter baseline: The baseline after the last call; nil before the first one.
    mutating func _$takeChanges(since baseline: inout ObservableStateID?) -> ObservableStateChanges
}

extension ObservableState {
    /// Names no members.
    public static var _$memberNames: [String] { [] }

    /// Reports that any member may have changed.
    public mutating func _$takeChanges(since baseline: inout ObservableStateID?) -> ObservableStateChanges { .all }
}

/// A value that knows whether it is the same state as another one, although its members differ.
///
/// Observers of a parent are notified when a child is replaced, and not when a member of the child changes.
public protocol ObservableIdentity {
    /// The identity of the state. A collection has the identities of its elements.
    var _$id: ObservableStateID { get }

    /// Prepares a modification in place: a copy that replaces the state during the modification has another identity.
    mutating func _$willModify()
}

/// Returns whether two values are the same state.
public func _$isIdentityEqual<Value: ObservableIdentity>(_ first: Value, _ second: Value) -> Bool {
    first._$id == second._$id
}

/// Returns whether two values without an identity are equal.
@_disfavoredOverload
public func _$isIdentityEqual<Value: Equatable>(_ first: Value, _ second: Value) -> Bool {
    first == second
}

/// Returns false: values that cannot be compared are not known to be the same.
@_disfavoredOverload
public func _$isIdentityEqual<Value>(_ first: Value, _ second: Value) -> Bool {
    false
}

/// Returns the identity of the value of a case.
public func _$id<Value: ObservableIdentity>(of value: Value) -> ObservableStateID {
    value._$id
}

/// Returns an identity that no other value has: a value that is not observed may be another one.
@_disfavoredOverload
public func _$id<Value>(of value: Value) -> ObservableStateID {
    ObservableStateID()
}

/// Prepares the modification of the value of a case.
public func _$willModify<Value: ObservableIdentity>(_ value: inout Value) {
    value._$willModify()
}

/// Does nothing: the value has no identity.
@_disfavoredOverload
public func _$willModify<Value>(_ value: inout Value) {}
