/// The members of a state that have changed, by number.
public struct ObservableStateChanges: Hashable, Sendable {
    private var members: UInt64

    /// No member.
    public static var none: ObservableStateChanges { ObservableStateChanges(members: 0) }
    /// Every member, known or not.
    public static var all: ObservableStateChanges { ObservableStateChanges(members: .max) }

    /// Whether no member has changed.
    public var isEmpty: Bool { members == 0 }

    /// Returns whether a member may have changed. The members from 63 on share one mark.
    public func contains(_ member: Int) -> Bool {
        members & Self.mark(of: member) != 0
    }

    mutating func insert(_ member: Int) {
        members |= Self.mark(of: member)
    }

    mutating func formUnion(_ other: ObservableStateChanges) {
        members |= other.members
    }

    private static func mark(of member: Int) -> UInt64 {
        1 << UInt64(min(max(member, 0), 63))
    }
}
