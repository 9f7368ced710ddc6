/// A part of a machine whose state survives the process, such as an operator that is subscribed while the machine is
/// wired. The part registers with ``StateRegistry/register(_:)``.
///
/// Confined to the session's loop. A part that other threads may enter must synchronize ``partState`` itself.
public protocol StatefulPart: AnyObject {
    /// The state. A machine can be captured only if this type is `Codable`.
    associatedtype PartState

    /// The name of the part, the same in every build: `debounce`. Several parts with one name are told apart by the order in
    /// which they register.
    static var partName: StaticString { get }

    /// The name under which the state is stored: ``partName`` unless several operators share one implementation.
    static var keyName: String { get }

    /// The types of the values in the state: each must be `Codable` or consist of such values. Otherwise, the part cannot be
    /// captured.
    static var valueTypes: [any Any.Type] { get }

    /// The current state; nil once the part has ended and will never deliver anything again.
    var partState: PartState? { get }

    /// Puts a stored state back, before the machine runs. Must send nothing, start nothing and schedule nothing; what
    /// the state requires, such as a timer, starts in ``resume()``. Called when the part registers, and again after the
    /// wiring unless the part had ended.
    ///
    /// - Parameter state: The stored state; nil if the part had ended.
    func restore(_ state: PartState?)

    /// Whether parts of this type may wait for work that is not captured. False by default.
    static var mayHaveUncapturedWork: Bool { get }

    /// Whether the part waits for work that is not captured, so that its machine must stay in memory. False by default.
    var hasUncapturedWork: Bool { get }

    /// Returns whether nothing else uses the object whose state the part captures. The registry, which releases unused
    /// parts, asks this if it has the only reference to the part. True by default, for a part that captures its own state.
    func isAbandoned() -> Bool

    /// Starts what a restored state requires. Called after the whole machine has been wired. Does nothing by default.
    func resume()

    /// Adds the stored properties on which ``partState`` depends, so that the registry reads the state only after one of them has
    /// changed. By default there are none, and the registry reads the state after each turn.
    func watch(_ places: inout WatchedPlaces)

    /// Runs a closure that reads properties while nothing changes them.
    ///
    /// - Returns: False without running the closure if ``partState`` is nil. By default nil: the state must be made.
    func readState(_ read: () -> Void) -> Bool?
}

extension StatefulPart {
    /// The ``partName``.
    public static var keyName: String { "\(partName)" }

    /// No types other than that of the state.
    public static var valueTypes: [any Any.Type] { [] }

    /// False: everything is captured.
    public static var mayHaveUncapturedWork: Bool { false }

    /// False: everything is captured.
    public var hasUncapturedWork: Bool { false }

    /// True.
    public func isAbandoned() -> Bool { true }

    /// Starts nothing.
    public func resume() {}

    /// Adds nothing.
    public func watch(_ places: inout WatchedPlaces) {}

    /// Returns nil.
    public func readState(_ read: () -> Void) -> Bool? { nil }
}
