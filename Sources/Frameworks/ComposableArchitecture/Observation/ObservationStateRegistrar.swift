public import Observation
public import StateCapture

/// The observers of a state's members, the state's identity, and its changed members. `@ObservableState` adds it as a stored
/// property.
///
/// Copies of a state share their observers. The registrar is not part of the value: it does not affect equality or hashing, and is
/// encoded as an empty object.
public struct ObservationStateRegistrar: Sendable {
    /// The identity of the state.
    public private(set) var id = ObservableStateID()
    private let registrar = ObservationRegistrar()
    private var changes = ObservableStateChanges.none
    /// The identity of the content relative to which the changes are recorded; nil before the first time.
    private var baseline: ObservableStateID?

    /// Creates a registrar without observers, of a state with a new identity.
    public init() {}

    /// Gives the state another identity than its copies have.
    public mutating func _$willModify() {
        id.renew()
    }

    /// Records that a member changes.
    public mutating func _$noteChange(of member: Int) {
        changes.insert(member)
    }

    /// Returns the members that have changed since a baseline, and makes the present content the baseline.
    ///
    /// - Parameter known: The baseline after the last call. All members may have changed if the state does not descend from it: if
    ///   it is a new state, or a copy that a reducer kept from an earlier turn.
    public mutating func _$takeChanges(since known: inout ObservableStateID?) -> ObservableStateChanges {
        let isKnown = baseline != nil && baseline == known
        if isKnown, changes.isEmpty { return .none }
        let taken = isKnown ? changes : .all
        let next = ObservableStateID()
        (baseline, known, changes) = (next, next, .none)
        return taken
    }

    /// Records that code reads a member.
    public func access<Subject: Observable, Member>(_ subject: Subject, keyPath: KeyPath<Subject, Member>) {
        registrar.access(subject, keyPath: keyPath)
    }

    /// Replaces a member, and notifies its observers if it is another one.
    ///
    /// - Parameters:
    ///   - subject: The state.
    ///   - keyPath: The key path of the member.
    ///   - value: The member's storage.
    ///   - newValue: The new value.
    ///   - isIdentityEqual: Returns whether two values are the same to observers of the member.
    public func mutate<Subject: Observable, Value, Member>(
        _ subject: Subject, keyPath: KeyPath<Subject, Value>, _ value: inout Member, _ newValue: Member,
        _ isIdentityEqual: (Member, Member) -> Bool
    ) {
        guard !isIdentityEqual(value, newValue) else {
            value = newValue
            return
        }
        registrar.willSet(subject, keyPath: keyPath)
        value = newValue
        registrar.didSet(subject, keyPath: keyPath)
    }

    /// Prepares the modification of a child in place.
    ///
    /// - Parameters:
    ///   - subject: The state.
    ///   - keyPath: The key path of the member.
    ///   - member: The member's storage.
    /// - Returns: The identity of the child, for `didModify`.
    public func willModify<Subject: Observable, Value, Member: ObservableIdentity>(
        _ subject: Subject, keyPath: KeyPath<Subject, Value>, _ member: inout Member
    ) -> ObservableStateID? {
        member._$willModify()
        return member._$id
    }

    /// Notifies the observers of a member that is about to be modified in place.
    ///
    /// - Parameters:
    ///   - subject: The state.
    ///   - keyPath: The key path of the member.
    ///   - member: The member's storage.
    /// - Returns: Nothing: the member has no identity.
    @_disfavoredOverload
    public func willModify<Subject: Observable, Value, Member>(
        _ subject: Subject, keyPath: KeyPath<Subject, Value>, _ member: inout Member
    ) -> ObservableStateID? {
        // The value before is not kept for a comparison: a copy of a collection would make the modification copy it.
        registrar.willSet(subject, keyPath: keyPath)
        return nil
    }

    /// Notifies the observers of a child that was replaced while it was modified in place.
    ///
    /// - Parameters:
    ///   - subject: The state.
    ///   - keyPath: The key path of the member.
    ///   - member: The member's storage.
    ///   - identity: The result of `willModify`.
    public func didModify<Subject: Observable, Value, Member: ObservableIdentity>(
        _ subject: Subject, keyPath: KeyPath<Subject, Value>, _ member: inout Member, _ identity: ObservableStateID?
    ) {
        guard member._$id != identity else { return }
        registrar.willSet(subject, keyPath: keyPath)
        registrar.didSet(subject, keyPath: keyPath)
    }

    /// Ends the modification of a member without an identity.
    ///
    /// - Parameters:
    ///   - subject: The state.
    ///   - keyPath: The key path of the member.
    ///   - member: The member's storage.
    ///   - identity: The result of `willModify`.
    @_disfavoredOverload
    public func didModify<Subject: Observable, Value, Member>(
        _ subject: Subject, keyPath: KeyPath<Subject, Value>, _ member: inout Member, _ identity: ObservableStateID?
    ) {
        registrar.didSet(subject, keyPath: keyPath)
    }
}

extension ObservationStateRegistrar: Hashable {
    /// Returns true.
    public static func == (lhs: Self, rhs: Self) -> Bool { true }

    /// Adds nothing.
    public func hash(into hasher: inout Hasher) {}
}

extension ObservationStateRegistrar: Codable {
    private enum NoKeys: CodingKey {}

    /// Creates a registrar.
    public init(from decoder: any Decoder) {
        self.init()
    }

    /// Encodes an empty object.
    public func encode(to encoder: any Encoder) {
        _ = encoder.container(keyedBy: NoKeys.self)
    }
}

extension ObservationStateRegistrar: WiringProperty {}
