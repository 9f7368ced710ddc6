/// A property whose value lives in an object that others refer to, such as `@Published` or a subject with a current value.
/// Its value is captured, and the object stays.
public protocol StateHolder: TypeRole {
    /// The captured state.
    associatedtype HeldState

    /// The types of the values in the state: each must be `Codable` or consist of such values.
    static var heldTypes: [any Any.Type] { get }

    /// The object to which the holder refers, if that registers itself when it is created: the holder is then known by it.
    var holdingObject: AnyObject? { get }

    /// The current state.
    var heldState: HeldState { get }

    /// Puts a stored state back without sending it to anyone.
    func restoreHeld(_ state: HeldState)

    /// Adds the stored properties on which ``heldState`` depends, as ``StatefulPart/watch(_:)`` does. They belong to the holder if
    /// it is an object, or to one to which it refers.
    func watchHeld(_ places: inout WatchedPlaces)
}

extension StateHolder {
    /// No types other than that of the state.
    public static var heldTypes: [any Any.Type] { [] }

    /// Nil.
    public var holdingObject: AnyObject? { nil }

    /// Adds nothing.
    public func watchHeld(_ places: inout WatchedPlaces) {}

    /// The type that keeps the state from being captured; nil if none exists.
    static var obstacleType: (any Any.Type)? {
        if let type = heldTypes.first(where: { !StateTypes.isCapturable($0) }) { return type }
        return StateTypes.isCapturable(HeldState.self) ? nil : HeldState.self
    }
}

/// A type of property that belongs to the wiring of a machine and is rebuilt by its factory: a cancellable, a publisher,
/// a subject without a current value.
public protocol WiringProperty: TypeRole {}

extension Optional: WiringProperty where Wrapped: WiringProperty {}
extension Array: WiringProperty where Element: WiringProperty {}
extension ContiguousArray: TypeRole {}
extension ContiguousArray: WiringProperty where Element: WiringProperty {}
extension Set: WiringProperty where Element: WiringProperty {}
extension Dictionary: WiringProperty where Value: WiringProperty {}
