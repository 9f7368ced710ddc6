import FoundationEssentials
import HTTPModel
import MachineHost

/// Writes values of any `Encodable` type straight into the text, as ``JSONTree`` does with a tree in between. Most types
/// write their parts one after the other; one that does not (it goes back to a container that it had left, writes a key
/// twice, or asks for a super encoder) is left to the tree.
final class JSONStream {
    /// A value that is being written.
    private struct Slot {
        enum Shape {
            /// Nothing of it is there yet.
            case nothing
            case object
            case list
            /// It is what another value is.
            case single
        }

        let id: Int
        /// Where it stands in the value around it.
        let key: (any CodingKey)?
        var shape = Shape.nothing
        var count = 0
        let firstKey: Int
    }

    /// How a type is written.
    private enum Kind {
        /// By itself, without an encoder.
        case direct
        /// By the tree: a scalar of Foundation's, a dictionary.
        case tree
        /// Part by part.
        case parts
    }

    // Unchecked, since a stream lives inside of one call and nothing in it holds two accesses: the checks would be a fifth
    // of the cost.
    @exclusivity(unchecked) private var json: [UInt8] = []
    @exclusivity(unchecked) private var slots: [Slot] = []
    /// The keys of all open objects.
    @exclusivity(unchecked) private var keys: [String] = []
    @exclusivity(unchecked) private var nextID = 0
    /// What has been found out about types; a value is made of few.
    @exclusivity(unchecked) private var kinds: [(type: ObjectIdentifier, kind: Kind)] = []
    /// Whether the tree has to do it.
    @exclusivity(unchecked) private(set) var isOutOfOrder = false

    /// Where the text has to end, and the limit that this comes from.
    @exclusivity(unchecked) private var mostBytes = Int.max
    @exclusivity(unchecked) private var limit = Int.max

    /// Appends the JSON of the value; nothing if it throws. Throws ``OutputTooLarge`` while it writes more than the limit.
    static func append<T: Encodable>(_ value: T, to json: inout [UInt8], limit: Int = .max) throws {
        let start = json.count
        let stream = JSONStream()
        stream.limit = limit
        stream.mostBytes = start + min(limit, .max - start)
        swap(&stream.json, &json)
        defer { swap(&stream.json, &json) }
        do {
            try stream.append(value, at: nil)
        } catch {
            stream.json.removeLast(stream.json.count - start)
            if !stream.isOutOfOrder { throw error }
        }
        guard stream.isOutOfOrder else { return }
        stream.json.removeLast(stream.json.count - start)
        try JSONTree.append(value, to: &stream.json, limit: limit)
    }

    /// Where the value at that level stands.
    func path(to level: Int) -> [any CodingKey] { slots.prefix(level + 1).compactMap(\.key) }

    /// Writes a value that is a part of the innermost open one, whose place in it has been made.
    func append<T: Encodable>(_ value: T, at key: (any CodingKey)?) throws {
        switch kind(of: T.self) {
        case .direct: if let value = value as? any DirectlyWritten { return try appendScalar(value) }
        case .tree:
            try checkSize()
            return try JSONTree.append(
                value, at: path(to: slots.count - 1) + (key.map { [$0] } ?? []), to: &json, limit: limit)
        case .parts: break
        }
        try checkSize()
        let level = open(at: key)
        try value.encode(to: JSONStreamEncoder(stream: self, level: level, id: slots[level].id))
        close(downTo: level)
    }

    private func kind<T: Encodable>(of type: T.Type) -> Kind {
        let identifier = ObjectIdentifier(type)
        for known in kinds where known.type == identifier { return known.kind }
        let kind: Kind =
            if type is any DirectlyWritten.Type {
                .direct
            } else if JSONTree.isScalar(type) || type is any KeysInNoOrder.Type {
                .tree
            } else {
                .parts
            }
        kinds.append((identifier, kind))
        return kind
    }

    func appendScalar(_ value: some DirectlyWritten) throws {
        try checkSize(value.leastByteCount)
        try value.append(to: &json)
    }

    func appendNull() throws {
        try checkSize()
        json.append(contentsOf: "null".utf8)
    }

    /// Throws if the text is over its limit, or would be with that many bytes more.
    private func checkSize(_ count: Int = 0) throws {
        guard count <= mostBytes - json.count else { throw OutputTooLarge(limit: limit) }
    }

    /// Begins a value inside of the innermost open one.
    func open(at key: (any CodingKey)?) -> Int {
        nextID += 1
        slots.append(Slot(id: nextID, key: key, firstKey: keys.count))
        return slots.count - 1
    }

    /// The number by which a value that is open is known.
    func id(of level: Int) -> Int { slots[level].id }

    func becomeObject(_ level: Int, _ id: Int) { become(.object, "{", level, id) }

    func becomeList(_ level: Int, _ id: Int) { become(.list, "[", level, id) }

    func becomeSingle(_ level: Int, _ id: Int) { become(.single, nil, level, id) }

    /// How many parts a value has.
    func count(_ level: Int, _ id: Int) -> Int { isOpen(level, id) ? slots[level].count : 0 }

    /// Makes the place of an object's next member; false, for the tree to do it, if it cannot be here.
    func beginMember(_ level: Int, _ id: Int, _ key: String) -> Bool {
        guard isOpen(level, id) else {
            isOutOfOrder = true
            return false
        }
        close(insideOf: level)
        guard !keys[slots[level].firstKey...].contains(key) else {
            isOutOfOrder = true
            return false
        }
        keys.append(key)
        beginPart(level)
        JSONText.append(key, to: &json)
        json.append(UInt8(ascii: ":"))
        return true
    }

    /// Makes the place of a list's next element, or of the one value that a value is; false if it cannot be here.
    func beginElement(_ level: Int, _ id: Int) -> Bool {
        guard isOpen(level, id), slots[level].shape != .single || slots[level].count == 0 else {
            isOutOfOrder = true
            return false
        }
        close(insideOf: level)
        beginPart(level)
        return true
    }

    /// Gives up: what is asked for is for the tree to do.
    func leaveToTree() -> JSONTreeEncoder {
        isOutOfOrder = true
        return JSONTreeEncoder(tree: JSONTree(), node: JSONNode(), codingPath: [])
    }

    private func isOpen(_ level: Int, _ id: Int) -> Bool { level < slots.count && slots[level].id == id }

    private func become(_ shape: Slot.Shape, _ opening: Unicode.Scalar?, _ level: Int, _ id: Int) {
        guard isOpen(level, id) else {
            isOutOfOrder = true
            return
        }
        switch slots[level].shape {
        case shape: break
        case .nothing:
            slots[level].shape = shape
            if let opening { json.append(UInt8(ascii: opening)) }
        default: isOutOfOrder = true
        }
    }

    private func beginPart(_ level: Int) {
        if slots[level].count > 0 { json.append(UInt8(ascii: ",")) }
        slots[level].count += 1
    }

    private func close(insideOf level: Int) {
        while slots.count - 1 > level { closeInnermost() }
    }

    private func close(downTo level: Int) {
        while slots.count > level { closeInnermost() }
    }

    private func closeInnermost() {
        guard let slot = slots.popLast() else { return }
        switch slot.shape {
        case .object: json.append(UInt8(ascii: "}"))
        case .list: json.append(UInt8(ascii: "]"))
        case .nothing: json.append(contentsOf: "{}".utf8)
        case .single: if slot.count == 0 { json.append(contentsOf: "{}".utf8) }
        }
        keys.removeLast(keys.count - slot.firstKey)
    }
}
