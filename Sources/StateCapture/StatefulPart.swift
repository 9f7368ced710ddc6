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

    /// Whether the part waits for work that is not captured, so that its machine must stay in memory. False by default.
    var hasUncapturedWork: Bool { get }

    /// Starts what a restored state requires. Called after the whole machine has been wired. Does nothing by default.
    func resume()
}

extension StatefulPart {
    /// The ``partName``.
    public static var keyName: String { "\(partName)" }

    /// No types other than that of the state.
    public static var valueTypes: [any Any.Type] { [] }

    /// False: everything is captured.
    public var hasUncapturedWork: Bool { false }

    /// Starts nothing.
    public func resume() {}
}
