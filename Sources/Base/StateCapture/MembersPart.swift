import CRuntime

/// The members of an object, or of a value that lives in one.
final class MembersPart: CapturedPart {
    /// The owner of the members.
    enum Root {
        case object(AnyObject)
        case copy(ValueCopy)
        /// Calls a closure with the address of the value, which is valid during the call only.
        case value((_ body: (UnsafeMutableRawPointer) throws -> Void) throws -> Void)
    }

    private let layout: MemberLayout
    private let name: PartKey
    /// The keys of the members.
    private let keys: [PartKey]
    private var root: Root
    /// The last known states of the members, in one block of memory with ``copy``.
    private let states: UnsafeMutablePointer<MemberState>
    private let copy: UnsafeMutableRawPointer

    /// The last state of a member.
    // 32 bytes in this order.
    private struct MemberState: ~Copyable {
        /// The watch that shows that a referenced object has not changed, while the member has the same ``reference``.
        var watch = StateWatch()
        /// Whether the copy holds a state.
        var isInitialized = false
        /// The size of the last state's JSON.
        var byteCount: Int32 = 0
        /// Whether the copy holds the JSON instead, of a member that is compared by text.
        var hasText = false
        var reference: UInt = 0
    }

    /// The size of what is known of each member.
    static var bytesPerMember: Int { MemoryLayout<MemberState>.stride }

    /// The JSON that was restored, by the indices of the members, until the machine is wired.
    private var restored: [Int: ArraySlice<UInt8>] = [:]

    init(name: String, layout: MemberLayout, root: Root, _ keys: PartKeys) {
        self.layout = layout
        self.root = root
        self.keys = layout.keys(named: name, keys)
        let count = layout.members.count
        let size = (count * MembersPart.bytesPerMember + 15) & ~15
        let block = UnsafeMutableRawPointer.allocate(byteCount: max(1, size + layout.copySize), alignment: 16)
        states = block.bindMemory(to: MemberState.self, capacity: count)
        for index in 0..<count { (states + index).initialize(to: MemberState()) }
        copy = block + size
        self.name = keys.make(name)
    }

    deinit {
        for (index, member) in layout.members.enumerated() {
            if states[index].isInitialized { member.deinitialize(copy) }
            if states[index].hasText { text(member).deinitialize(count: 1) }
        }
        states.deinitialize(count: layout.members.count)
        UnsafeMutableRawPointer(states).deallocate()
    }

    override var key: PartKey { name }

    // As for other parts.
    override var byteCount: Int {
        keys.indices.reduce(160) { bytes, index in
            let state = Int(states[index].byteCount)
            return bytes + 80 + (states[index].hasText ? 2 * state : state)
        }
    }

    /// The names of the members' types, by the keys of the members.
    var memberTypes: [String: String] {
        Dictionary(zip(keys.map(\.text), layout.members.map(\.typeName))) { $1 }
    }

    /// Puts the stored states back. Returns the keys of those that do not fit.
    func restore(_ stored: inout [String: ArraySlice<UInt8>]) -> [String] {
        for index in keys.indices { restored[index] = stored.removeValue(forKey: keys[index].text) }
        var mismatches: [String] = []
        for index in keys.indices where !restore(index) { mismatches.append(keys[index].text) }
        return mismatches
    }

    /// Puts the stored state of a member back. Returns whether it fits.
    private func restore(_ index: Int) -> Bool {
        guard let json = restored[index] else { return true }
        do {
            try withRoot { root in
                try layout.members[index].restore(json, to: root)
                _ = try update(index, root)
            }
            return true
        } catch {
            restored[index] = nil
            return false
        }
    }

    /// The objects that hold the members' states, including those of members that are not captured.
    func holders() -> Set<ObjectIdentifier> {
        let holders = try? withRoot { root in
            Set((layout.members + layout.otherHolders).flatMap { $0.holders(root) })
        }
        return holders ?? []
    }

    override func restoreAgain() {
        for index in restored.keys.sorted() {
            // A value that cannot be encoded differs from the restored one, too.
            let hasChanged = (try? withRoot { try update(index, $0) }) ?? true
            if hasChanged { _ = restore(index) }
        }
        restored = [:]
    }

    override func isUnused() -> Bool {
        guard case .object(var object) = root else { return false }
        // Emptied meanwhile, so that the local reference is the only one of this part.
        root = .value { _ in }
        let isUnused = isKnownUniquelyReferenced(&object)
        root = .object(object)
        return isUnused
    }

    override func appendChanges(to bytes: inout [UInt8]) throws -> Int {
        guard case .object(let object) = root else {
            var count = 0
            try withRoot { count = try appendChanges($0, to: &bytes) }
            return count
        }
        return try withExtendedLifetime(object) {
            try appendChanges(Unmanaged.passUnretained(object).toOpaque(), to: &bytes)
        }
    }

    private func appendChanges(_ root: UnsafeMutableRawPointer, to bytes: inout [UInt8]) throws -> Int {
        var count = 0
        var failure: (any Error)?
        for index in keys.indices where !isUnchanged(index, root) {
            do {
                let hasChanged = try StateChanges.appendIfChanged(keys[index].head, to: &bytes) { json in
                    try update(index, root, &json)
                }
                if hasChanged { count += 1 }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return count
    }

    override func appendAll(to bytes: inout [UInt8]) throws -> Int {
        try withRoot { root in
            for (index, member) in layout.members.enumerated() {
                _ = try StateChanges.appendIfChanged(keys[index].head, to: &bytes) { json in
                    try member.append(root, to: &json)
                    return true
                }
            }
        }
        return keys.count
    }

    private func withRoot<Result>(_ body: (UnsafeMutableRawPointer) throws -> Result) throws -> Result {
        switch root {
        case .object(let object):
            return try withExtendedLifetime(object) { try body(Unmanaged.passUnretained(object).toOpaque()) }
        case .copy(let copy):
            return try withExtendedLifetime(copy) { try body(copy.address) }
        case .value(let access):
            var result: Result?
            try access { result = try body($0) }
            guard let result else { throw MissingRoot() }
            return result
        }
    }

    /// Whether the bytes of a member show that it has its last state.
    @inline(__always)
    private func isUnchanged(_ index: Int, _ root: UnsafeRawPointer) -> Bool {
        guard states[index].isInitialized else { return false }
        let member = layout.members[index]
        if member.isState { return granary_is_same(root + member.offset, copy + member.place, member.size) }
        // Null for a member that is not watched.
        guard let object = UnsafeRawPointer(bitPattern: states[index].reference),
            states[index].reference == reference(member, root)
        else { return false }
        return states[index].watch.isUnchanged(in: object)
    }

    /// The place of the JSON of a member that is compared by text.
    private func text(_ member: Member) -> UnsafeMutablePointer<[UInt8]> {
        (copy + member.place).assumingMemoryBound(to: [UInt8].self)
    }

    private func reference(_ member: Member, _ root: UnsafeRawPointer) -> UInt {
        (root + member.offset).loadUnaligned(as: UInt.self)
    }

    /// Appends the state of a member, and keeps it as the last one. Returns whether it has changed.
    private func update(_ index: Int, _ root: UnsafeRawPointer, _ json: inout [UInt8]) throws -> Bool {
        let member = layout.members[index]
        if !member.isState, member.size == MemoryLayout<UInt>.size { watch(member, index, root) }
        let start = json.count
        var hasChanged = false
        do {
            hasChanged = try member.appendIfChanged(
                root, copy, isInitialized: states[index].isInitialized, to: &json)
        } catch {
            states[index].watch.forget()
            throw error
        }
        if json.count > start { states[index].byteCount = Int32(clamping: json.count - start) }
        guard !member.comparesBytes else {
            states[index].isInitialized = true
            // With the bytes between its fields, which a copy need not have.
            if member.isState { (copy + member.place).copyMemory(from: root + member.offset, byteCount: member.size) }
            return hasChanged
        }
        let text = text(member)
        guard states[index].hasText else {
            text.initialize(to: Array(json[start...]))
            states[index].hasText = true
            return true
        }
        if text.pointee[...] == json[start...] { return false }
        text.pointee = Array(json[start...])
        return true
    }

    /// Watches the object to which a member refers now, before its state is read.
    private func watch(_ member: Member, _ index: Int, _ root: UnsafeRawPointer) {
        let reference = reference(member, root)
        if reference != states[index].reference {
            states[index].reference = reference
            states[index].watch = StateWatch(layout: member.watchedLayout(root))
        }
        if let object = UnsafeRawPointer(bitPattern: reference) { states[index].watch.keep(object) }
    }

    private func update(_ index: Int, _ root: UnsafeRawPointer) throws -> Bool {
        var json: [UInt8] = []
        return try update(index, root, &json)
    }
}

/// A copy of a value that lives as long as its part.
class ValueCopy {
    /// The address of the value.
    var address: UnsafeMutableRawPointer { preconditionFailure("\(Self.self) must override address") }
}

/// A copy of a value of one type.
final class TypedCopy<Value>: ValueCopy {
    @exclusivity(unchecked) private(set) var value: Value

    init(_ value: Value) { self.value = value }

    // A stored property of an object stays at its address.
    override var address: UnsafeMutableRawPointer {
        withUnsafeMutablePointer(to: &value) { UnsafeMutableRawPointer($0) }
    }
}

/// An access to the members of a value that did not call its closure, because the value no longer exists.
private struct MissingRoot: Error {}
