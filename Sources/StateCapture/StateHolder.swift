/// A property whose value lives in an object that others refer to, such as `@Published` or a subject with a current value.
/// Its value is captured, and the object stays.
public protocol StateHolder {
    /// The captured state.
    associatedtype HeldState

    /// The current state.
    var heldState: HeldState { get }

    /// Puts a stored state back without sending it to anyone.
    func restoreHeld(_ state: HeldState)
}

/// A type of property that belongs to the wiring of a machine and is rebuilt by its factory: a cancellable, a publisher,
/// a subject without a current value.
public protocol WiringProperty {}
