import Locking
@_spi(Reflection) import Swift

/// The captured members of a type: its stored properties, and those of nested structures that are not `Codable`
/// themselves. Created once per type.
///
/// Members are found and accessed by their offsets, because a `Mirror` can only read, and because a `CustomReflectable`
/// type may hide members.
final class MemberLayout: @unchecked Sendable {
    // Sendable: a layout does not change after its creation.
    let members: [Member]
    /// The properties that cannot be captured.
    let obstacles: [CaptureObstacle]
    /// The size of a copy of all members.
    let copySize: Int

    /// Reads the layout of a class or structure.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - transient: The names of properties that are not captured.
    private init(of type: any Any.Type, transient: Set<String>) {
        var reading = LayoutReading(root: String(describing: type), transient: transient)
        reading.read(type, at: 0, path: "")
        members = reading.members
        obstacles = reading.obstacles
        copySize = reading.copySize
    }

    /// Returns the layout of a class or structure. It is read once for each type and set of transient names.
    static func of(_ type: any Any.Type, transient: Set<String>) -> MemberLayout {
        let key = Key(type: ObjectIdentifier(type), transient: transient)
        if let known = known.withLock({ $0[key] }) { return known }
        // Read without the lock: another thread may read the same layout meanwhile, which does no harm.
        let layout = MemberLayout(of: type, transient: transient)
        known.withLock { $0[key] = layout }
        return layout
    }

    private struct Key: Hashable {
        let type: ObjectIdentifier
        let transient: Set<String>
    }

    private static let known = Lock<[Key: MemberLayout]>([:])
}

/// A layout that is being read.
private struct LayoutReading {
    let root: String
    let transient: Set<String>
    var members: [Member] = []
    var obstacles: [CaptureObstacle] = []
    var copySize = 0

    // The option for instances of classes. The standard library's own name for it is not part of its interface.
    private static var classFields: _EachFieldOptions { _EachFieldOptions(rawValue: 1 << 0) }

    mutating func read(_ type: any Any.Type, at base: Int, path: String) {
        var fields: [(name: String, offset: Int, type: any Any.Type)] = []
        _ = _forEachField(of: type, options: type is AnyClass ? Self.classFields : []) { name, offset, type, _ in
            fields.append((String(cString: name), offset, type))
            return true
        }
        for field in fields {
            let name = Self.propertyName(field.name)
            let path = path.isEmpty ? name : "\(path).\(name)"
            if !transient.contains(path) { read(field.type, at: base + field.offset, as: path) }
        }
    }

    /// Returns the name of the property with a storage: that of a property wrapper has an underscore before it, that of a
    /// lazy property a prefix.
    private static func propertyName(_ storage: String) -> String {
        let lazy = "$__lazy_storage_$_"
        if storage.hasPrefix(lazy) { return String(storage.dropFirst(lazy.count)) }
        return storage.hasPrefix("_") ? String(storage.dropFirst()) : storage
    }

    private mutating func read(_ type: any Any.Type, at offset: Int, as path: String) {
        if type is any WiringProperty.Type { return }
        if let optional = type as? any OptionalType.Type, MetadataKind(of: optional.wrappedType) == .function { return }
        if let holder = type as? any StateHolder.Type { return addHolder(holder, at: offset, path) }
        func add<Value>(_ type: Value.Type) -> Bool {
            guard let codec = StateCodec<Value>() else { return false }
            let place = reserve(Value.self)
            members.append(ValueMember<Value>(path, offset, place, codec))
            return true
        }
        if StateTypes.isCodable(type), _openExistential(type, do: add) { return }
        switch MetadataKind(of: type) {
        case .structure: read(type, at: offset, path: path)
        // A function holds no state of its own: it was injected.
        case .function: break
        case .tuple, .other: obstacles.append(CaptureObstacle(part: "\(root).\(path)", type: String(reflecting: type)))
        }
    }

    private mutating func addHolder(_ type: any StateHolder.Type, at offset: Int, _ path: String) {
        func add<Holder: StateHolder>(_ type: Holder.Type) {
            guard Holder.obstacleType == nil, let codec = StateCodec<Holder.HeldState>() else {
                let type = Holder.obstacleType ?? Holder.HeldState.self
                obstacles.append(CaptureObstacle(part: "\(root).\(path)", type: String(reflecting: type)))
                return
            }
            let place = reserve(Holder.HeldState.self)
            members.append(HolderMember<Holder>(path, offset, place, codec))
        }
        add(type)
    }

    /// Reserves space for the copy of a value. Returns its offset.
    private mutating func reserve<Value>(_ type: Value.Type) -> Int {
        let alignment = MemoryLayout<Value>.alignment
        let place = (copySize + alignment - 1) / alignment * alignment
        copySize = place + MemoryLayout<Value>.size
        return place
    }
}
