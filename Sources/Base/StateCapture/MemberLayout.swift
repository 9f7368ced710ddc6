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
    /// Further members that refer to objects with a state: those that are not captured, and objects.
    let otherHolders: [Member]
    /// The properties that cannot be captured.
    let obstacles: [CaptureObstacle]
    /// The properties that were left out because they are transient.
    let leftOut: Set<String>
    /// The size of a copy of all members.
    let copySize: Int
    /// The keys that the members have in all sessions, by the names of the parts.
    private let memberKeys = Lock<[String: [PartKey]]>([:])

    /// Reads the layout of a class or value type.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - transient: The names of properties that are not captured.
    ///   - scope: The properties that are captured.
    private init(of type: any Any.Type, transient: Set<String>, scope: MemberScope) {
        var reading = LayoutReading(root: _typeName(type, qualified: false), transient: transient, scope: scope)
        reading.readRoot(type)
        members = reading.members
        otherHolders = reading.otherHolders
        obstacles = reading.obstacles
        leftOut = reading.leftOut
        copySize = reading.copySize
    }

    /// Returns the keys of the members of a part with a name.
    func keys(named name: String, _ keys: PartKeys) -> [PartKey] {
        let make = { [members] in members.map { keys.make("\(name).\($0.path)") } }
        guard !keys.isInsideScope else { return make() }
        return memberKeys.withLock { known in
            if let keys = known[name] { return keys }
            let keys = make()
            if known.count < PartKey.maxCount { known[name] = keys }
            return keys
        }
    }

    /// Returns the layout of a class or value type. It is read once for each type, scope and set of transient names.
    static func of(_ type: any Any.Type, transient: Set<String>, scope: MemberScope) -> MemberLayout {
        let key = Key(type: ObjectIdentifier(type), transient: transient, scope: scope)
        if let known = known.withLock({ $0[key] }) { return known }
        // Read without the lock: another thread may read the same layout meanwhile, which does no harm.
        let layout = MemberLayout(of: type, transient: transient, scope: scope)
        known.withLock { $0[key] = layout }
        return layout
    }

    private struct Key: Hashable {
        let type: ObjectIdentifier
        let transient: Set<String>
        let scope: MemberScope
    }

    private static let known = Lock<[Key: MemberLayout]>([:])
}

/// A layout that is being read.
private struct LayoutReading {
    let root: String
    let transient: Set<String>
    let scope: MemberScope
    var members: [Member] = []
    var otherHolders: [Member] = []
    var obstacles: [CaptureObstacle] = []
    var leftOut: Set<String> = []
    var copySize = 0

    /// The name of a root that is not a class or structure, and so is its own only member.
    private static let whole = "value"

    // The option for instances of classes. The standard library's own name for it is not part of its interface.
    private static var classFields: _EachFieldOptions { _EachFieldOptions(rawValue: 1 << 0) }

    mutating func readRoot(_ type: any Any.Type) {
        if type is AnyClass { return read(type, at: 0, path: "") }
        let isComposite = StateTypes.role(of: type, as: (any CompositeState.Type).self) != nil
        guard !isComposite, case .structure = MetadataKind(of: type) else { return read(type, at: 0, as: Self.whole) }
        let empty = self
        read(type, at: 0, path: "")
        // A structure that encodes itself may have fields that cannot be captured one by one.
        guard !obstacles.isEmpty, type is any Codable.Type else { return }
        self = empty
        read(type, at: 0, as: Self.whole)
    }

    private mutating func read(_ type: any Any.Type, at base: Int, path: String) {
        for field in Self.fields(of: type, at: base) {
            let path = path.isEmpty ? field.name : "\(path).\(field.name)"
            if transient.contains(path) {
                leftOut.insert(path)
                readTransient(field.type, at: field.offset, path)
            } else {
                read(field.type, at: field.offset, as: path)
            }
        }
    }

    private static func fields(
        of type: any Any.Type, at base: Int
    ) -> [(name: String, offset: Int, type: any Any.Type)] {
        var fields: [(name: String, offset: Int, type: any Any.Type)] = []
        _ = _forEachField(of: type, options: type is AnyClass ? classFields : []) { name, offset, type, _ in
            fields.append((FieldName.inSource(String(cString: name)), base + offset, type))
            return true
        }
        return fields
    }

    /// Finds the objects with a state in a property that is not captured.
    private mutating func readTransient(_ type: any Any.Type, at offset: Int, _ path: String) {
        if let holder = StateTypes.role(of: type, as: (any StateHolder.Type).self) {
            otherHolders.append(Self.member(holder, at: offset, path))
        } else if Self.isWiring(type) {
            return
        } else if type is AnyClass {
            readObject(of: type, at: offset, path)
        } else if !Self.isCoded(type), case .structure = MetadataKind(of: type) {
            for field in Self.fields(of: type, at: offset) {
                readTransient(field.type, at: field.offset, "\(path).\(field.name)")
            }
        }
    }

    /// Finds the properties of an object that are objects with a state. Does not follow its other references, which may lead out
    /// of the session.
    private mutating func readObject(of type: any Any.Type, at offset: Int, _ path: String) {
        var inside = LayoutReading(root: root, transient: [], scope: .holders)
        inside.read(type, at: 0, path: path)
        let holders = inside.members + inside.otherHolders
        if !holders.isEmpty { otherHolders.append(ObjectReference(path, offset, holders)) }
    }

    private mutating func read(_ type: any Any.Type, at offset: Int, as path: String) {
        // First, because a subject with state may inherit the other conformance from its superclass.
        if let holder = StateTypes.role(of: type, as: (any StateHolder.Type).self) {
            return addHolder(holder, at: offset, path)
        }
        if Self.isWiring(type) { return }
        guard case .all = scope else { return }
        if !(type is any Codable.Type), let boxed = StateTypes.role(of: type, as: (any BoxedState.Type).self) {
            return addBoxed(boxed, at: offset, path)
        }
        // By its fields, so that only those that change are written.
        if !Self.isCoded(type), case .structure = MetadataKind(of: type) { return read(type, at: offset, path: path) }
        if type is AnyClass { readObject(of: type, at: offset, path) }
        func add<Value>(_ type: Value.Type) {
            guard let codec = codec(of: type, path) else { return }
            members.append(ValueMember<Value>(path, offset, reserve(Value.self), codec))
        }
        _openExistential(type, do: add)
    }

    /// Returns whether the values of a type are stored as a whole.
    private static func isCoded(_ type: any Any.Type) -> Bool {
        if StateTypes.role(of: type, as: (any CapturedByFields.Type).self) != nil { return false }
        return StateTypes.role(of: type, as: (any CompositeState.Type).self) != nil || type is any Codable.Type
    }

    /// Returns whether a property belongs to the wiring of a machine, which its factory rebuilds.
    private static func isWiring(_ type: any Any.Type) -> Bool {
        if StateTypes.role(of: type) is any WiringProperty.Type { return true }
        if let optional = StateTypes.optional(type) { return isWiring(optional.wrappedType) }
        // A function holds no state of its own: it was injected.
        return MetadataKind(of: type) == .function
    }

    private mutating func addHolder(_ type: any StateHolder.Type, at offset: Int, _ path: String) {
        func add<Holder: StateHolder>(_ type: Holder.Type) {
            if let type = Holder.obstacleType {
                obstacles.append(CaptureObstacle(part: "\(root).\(path)", type: String(reflecting: type)))
                otherHolders.append(HolderReference<Holder>(path, offset))
                return
            }
            guard let codec = codec(of: Holder.HeldState.self, path) else { return }
            members.append(HolderMember<Holder>(path, offset, reserve(Holder.HeldState.self), codec))
        }
        add(type)
    }

    private mutating func addBoxed<Boxed: BoxedState>(_ type: Boxed.Type, at offset: Int, _ path: String) {
        let path = "\(path).\(Boxed.contentName)"
        if transient.contains(path) {
            leftOut.insert(path)
        } else if let codec = codec(of: Boxed.Content.self, path) {
            members.append(BoxedMember<Boxed>(path, offset, reserve(Boxed.self), codec))
        }
    }

    /// Returns a member that is only used to find the object.
    private static func member(_ type: any StateHolder.Type, at offset: Int, _ path: String) -> Member {
        func make<Holder: StateHolder>(_ type: Holder.Type) -> Member {
            HolderReference<Holder>(path, offset)
        }
        return make(type)
    }

    private mutating func codec<Value>(of type: Value.Type, _ path: String) -> StateCodec<Value>? {
        var reading = CodecReading()
        defer { obstacles += reading.obstacles }
        return KnownCodecs.codec(of: type, &reading, at: "\(root).\(path)")
    }

    /// Reserves space for the copy of a state, or for its JSON if bytes do not show whether it has changed. Returns its offset.
    private mutating func reserve<State>(_ type: State.Type) -> Int {
        StateComparison.isSound(for: type) ? reserve(copyOf: type) : reserve(copyOf: [UInt8].self)
    }

    private mutating func reserve<Value>(copyOf type: Value.Type) -> Int {
        let alignment = MemoryLayout<Value>.alignment
        let place = (copySize + alignment - 1) / alignment * alignment
        copySize = place + MemoryLayout<Value>.size
        return place
    }
}
