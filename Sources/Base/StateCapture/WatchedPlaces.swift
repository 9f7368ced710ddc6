import CRuntime

/// The stored properties on which the state of a part depends.
///
/// While their bytes stay the same, the state is the same, and the registry need not read it. That requires that the state
/// contains copies of the properties, so that storage with copy-on-write is not changed in place. Properties that only decide
/// whether the part has ended may be of any type.
public struct WatchedPlaces {
    // Beyond the size of any object, but not beyond the distance of a temporary value on the stack.
    private static let maxObjectBytes = 1 << 16

    var places: [granary_place] = []
    /// The places that must have certain bytes, and the bytes.
    var fixed: [granary_place] = []
    var fixedBytes: [UInt8] = []
    /// Whether a property has no place in its object.
    var isIncomplete = false
    var direct = DirectFields()

    init() {}

    /// Adds a property of an object.
    public mutating func add<Value>(_ property: inout Value, of object: AnyObject) {
        withUnsafePointer(to: &property) { add(at: $0, MemoryLayout<Value>.size, of: object) }
    }

    /// Adds a property that is a field of the state, of the type ``StoredOptional``. If all fields are added by their names, in their
    /// order, and the part implements ``StatefulPart/readState(_:)``, changes are written from the properties.
    public mutating func add<Value>(_ property: inout Value?, named name: StaticString, of object: AnyObject) {
        withUnsafePointer(to: &property) {
            add(at: $0, MemoryLayout<Value?>.size, of: object)
            direct.add($0, named: name)
        }
    }

    /// Adds a property that is a number and a field of the state.
    public mutating func add(_ property: inout UInt8, named name: StaticString, of object: AnyObject) {
        withUnsafePointer(to: &property) {
            add(at: $0, 1, of: object)
            direct.add($0, named: name)
        }
    }

    /// Adds a property that cannot be assigned, such as an atomic one.
    public mutating func add<Value: ~Copyable>(constant property: borrowing Value, of object: AnyObject) {
        withUnsafePointer(to: property) { add(at: $0, MemoryLayout<Value>.size, of: object) }
    }

    /// Adds a list of which the state is no copy. The bytes count as changed while it is not empty.
    public mutating func add<Element>(nearlyAlwaysEmpty list: inout ContiguousArray<Element>, of object: AnyObject) {
        withUnsafePointer(to: &list) { place in
            guard let found = granary_place(UnsafeRawPointer(place), MemoryLayout<Int>.size, in: object) else {
                return isIncomplete = true
            }
            fixed.append(found)
        }
        // Empty lists without a capacity share one storage.
        withUnsafeBytes(of: ContiguousArray<Element>()) { fixedBytes.append(contentsOf: $0) }
    }

    private mutating func add<Value: ~Copyable>(at place: UnsafePointer<Value>, _ count: Int, of object: AnyObject) {
        guard count > 0 else { return }
        guard let found = granary_place(UnsafeRawPointer(place), count, in: object) else { return isIncomplete = true }
        places.append(found)
    }

    fileprivate static func contains(_ object: AnyObject, _ place: UnsafeRawPointer) -> Bool {
        let distance = place - UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        return distance > 0 && distance < maxObjectBytes
    }
}

extension granary_place {
    /// Returns nil if an address is not inside of an object: it is that of a temporary copy.
    fileprivate init?(_ address: UnsafeRawPointer, _ count: Int, in object: AnyObject) {
        guard WatchedPlaces.contains(object, address) else { return nil }
        self.init(address: address, count: count)
    }
}

/// The bytes of a part's properties as they were when its state was last captured.
final class StateWatch {
    /// The places with their copy, for a look at them without a reference to this object.
    let look: UnsafeMutablePointer<granary_watch>
    /// The fields of the state, if it can be written from the properties.
    let direct: DirectFields?

    /// Returns nil if there are no places, or not all that are necessary.
    init?(_ found: WatchedPlaces) {
        let all = found.places + found.fixed
        guard !found.isIncomplete, !found.places.isEmpty else { return nil }
        direct = found.direct.isComplete ? found.direct : nil
        let head = MemoryLayout<granary_watch>.stride + all.count * MemoryLayout<granary_place>.stride
        let size = all.reduce(0) { $0 + $1.count }
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: head + size, alignment: MemoryLayout<granary_place>.alignment)
        look = block.initializeMemory(
            as: granary_watch.self,
            to: granary_watch(
                count: all.count, kept_count: UInt32(found.places.count), is_kept: false))
        granary_watch_places(look).initialize(from: all, count: all.count)
        let copy = block + head
        copy.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        (copy + (size - found.fixedBytes.count)).copyMemory(from: found.fixedBytes, byteCount: found.fixedBytes.count)
    }

    deinit { look.deallocate() }

    /// Whether the bytes show that the state is the last captured one.
    @inline(__always)
    var isUnchanged: Bool { granary_is_unchanged(look) }

    /// Keeps the bytes of the state that is captured next.
    func keep() { granary_keep_places(look) }

    /// Has the state read next time, whatever the bytes are.
    func forget() { look.pointee.is_kept = false }
}

extension StateWatch {
    /// Returns nil if a part does not name its properties.
    convenience init?(of part: some StatefulPart) {
        var places = WatchedPlaces()
        part.watch(&places)
        self.init(places)
    }

    /// Returns nil if a holder does not name its properties.
    convenience init?(of holder: some StateHolder) {
        var places = WatchedPlaces()
        holder.watchHeld(&places)
        self.init(places)
    }
}
