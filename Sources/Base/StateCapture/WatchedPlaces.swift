import CRuntime

/// The stored properties on which the state of a part depends.
///
/// While their bytes stay the same, the state is the same, and the registry need not read it. That requires that the state
/// contains copies of the properties, so that storage with copy-on-write is not changed in place. Properties that only decide
/// whether the part has ended may be of any type. All properties belong to one object: the part, or the one to which a holder refers.
public struct WatchedPlaces {
    // Beyond the size of any object, but not beyond the distance of a temporary value on the stack.
    private static let maxObjectBytes = 1 << 16

    /// The address of the object.
    private let object: UnsafeRawPointer
    /// The properties that have been added.
    private(set) var content = WatchedLayout.Content()
    /// Whether a property has no place in the object.
    private var isIncomplete = false

    init(of object: UnsafeRawPointer) {
        self.object = object
    }

    /// The number of the layout of the properties; 0 if there are none, or not all that are necessary.
    func layout(of type: any Any.Type) -> UInt16 {
        isIncomplete || content.kept.isEmpty ? 0 : WatchedLayout.shared(content, of: type)
    }

    /// Returns the address of an object, which keeps nothing in use.
    @inline(__always)
    static func address(of object: AnyObject) -> UnsafeRawPointer {
        UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }

    /// Adds a property of an object.
    public mutating func add<Value>(_ property: inout Value, of object: AnyObject) {
        withUnsafePointer(to: &property) { _ = add(at: $0, of: object) }
    }

    /// Adds a property that is a field of the state, of the type ``StoredOptional``. If all fields are added by their names, in their
    /// order, and the part implements ``StatefulPart/readState(_:)``, changes are written from the properties.
    public mutating func add<Value>(_ property: inout Value?, named name: StaticString, of object: AnyObject) {
        guard let place = withUnsafePointer(to: &property, { add(at: $0, of: object) }) else { return }
        content.fields.add(place.offset, DirectFields.Kind(optional: Value.self), named: name)
    }

    /// Adds a property that is a number and a field of the state.
    public mutating func add(_ property: inout UInt8, named name: StaticString, of object: AnyObject) {
        guard let place = withUnsafePointer(to: &property, { add(at: $0, of: object) }) else { return }
        content.fields.add(place.offset, .number, named: name)
    }

    /// Adds a property that is a number with a sign and a field of the state.
    public mutating func add(_ property: inout Int32, named name: StaticString, of object: AnyObject) {
        guard let place = withUnsafePointer(to: &property, { add(at: $0, of: object) }) else { return }
        content.fields.add(place.offset, .signedNumber, named: name)
    }

    /// Adds a property that cannot be assigned, such as an atomic one.
    public mutating func add<Value: ~Copyable>(constant property: borrowing Value, of object: AnyObject) {
        withUnsafePointer(to: property) { _ = add(at: $0, of: object) }
    }

    /// Adds a list of which the state is no copy. The bytes count as changed while it is not empty.
    public mutating func add<Element>(nearlyAlwaysEmpty list: inout ContiguousArray<Element>, of object: AnyObject) {
        guard let place = withUnsafePointer(to: &list, { place(at: $0, in: object) }) else { return }
        content.empty.append(place)
    }

    private mutating func add<Value: ~Copyable>(
        at address: UnsafePointer<Value>, of object: AnyObject
    ) -> WatchedLayout.Place? {
        guard let place = place(at: address, in: object) else { return nil }
        if place.count > 0 { content.kept.append(place) }
        return place
    }

    /// Returns nil if an address is not inside of the object: it is that of a temporary copy.
    private mutating func place<Value: ~Copyable>(
        at address: UnsafePointer<Value>, in owner: AnyObject
    ) -> WatchedLayout.Place? {
        let count = MemoryLayout<Value>.size
        let offset = UnsafeRawPointer(address) - object
        // A property without a size has any address.
        guard count > 0 else { return WatchedLayout.Place(offset: 0, count: 0) }
        guard WatchedPlaces.address(of: owner) == object, 0 < offset, offset < WatchedPlaces.maxObjectBytes else {
            isIncomplete = true
            return nil
        }
        return WatchedLayout.Place(offset: UInt32(offset), count: UInt32(count))
    }
}
