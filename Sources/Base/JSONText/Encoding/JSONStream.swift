/// Encodes `Encodable` values directly into a buffer. The result is the same as that of ``JSONTree``, which builds a
/// tree first.
///
/// Most types encode their parts one after another. Other types are encoded by the tree: types that return to an
/// earlier container, encode a key twice, or request a super encoder.
package final class JSONStream {
    /// A value that is being encoded.
    private struct Slot {
        enum Shape {
            case nothing
            case object
            case list
            case single
        }

        let id: Int
        /// The key in the enclosing value.
        let key: (any CodingKey)?
        var shape = Shape.nothing
        var count = 0
        let firstKey: Int
    }

    /// The way in which a type is encoded.
    private enum Kind {
        /// It writes itself, without an encoder.
        case direct
        /// By the tree: a dictionary, whose keys are sorted.
        case tree
        /// Part by part, by its own `encode(to:)`.
        case parts
    }

    // Unchecked: a stream is used inside a single call, and none of its methods overlaps two accesses. The checks would
    // account for a fifth of the cost.
    @exclusivity(unchecked) private var json: [UInt8] = []
    @exclusivity(unchecked) private var slots: [Slot] = []
    /// The keys of all open objects, for detecting a key that is encoded twice.
    @exclusivity(unchecked) private var keys: [String] = []
    @exclusivity(unchecked) private var nextID = 0
    /// The ways in which types are encoded. A linear list, because a value consists of few types.
    @exclusivity(unchecked) private var kinds: [(type: ObjectIdentifier, kind: Kind)] = []
    /// Whether the value must be encoded by the tree.
    @exclusivity(unchecked) private(set) var isOutOfOrder = false

    /// The maximum size of the buffer, and the limit from which it is derived.
    @exclusivity(unchecked) private var maxBytes = Int.max
    @exclusivity(unchecked) private var limit = Int.max

    /// The form of numbers that JSON cannot represent.
    @exclusivity(unchecked) private var nonFinite = NonFiniteNumbers.rejected

    var userInfo: [CodingUserInfoKey: Any] { StoredForm.userInfo(nonFinite) }

    /// Appends the JSON of a value; appends nothing if it throws. Throws ``JSONSizeExceeded`` as soon as the JSON exceeds the
    /// limit.
    package static func append<T: Encodable>(
        _ value: T, to json: inout [UInt8], limit: Int = .max, nonFinite: NonFiniteNumbers = .rejected
    ) throws {
        let start = json.count
        let stream = JSONStream()
        stream.nonFinite = nonFinite
        stream.limit = limit
        stream.maxBytes = start + min(limit, .max - start)
        // Moved, not copied: the stream must hold the only reference to the buffer while it appends.
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
        try JSONTree.append(value, to: &stream.json, limit: limit, nonFinite: nonFinite)
    }

    /// Appends the JSON of a value that writes itself.
    package static func append(
        scalar value: some JSONWritable, to json: inout [UInt8], nonFinite: NonFiniteNumbers = .rejected
    ) throws {
        do {
            try value.append(to: &json)
        } catch {
            guard nonFinite == .bits, let text = NonFiniteNumbers.text(of: value) else { throw error }
            text.append(to: &json)
        }
    }

    func path(to level: Int) -> [any CodingKey] { slots.prefix(level + 1).compactMap(\.key) }

    /// Encodes a part of the innermost open value, after ``beginMember(_:_:_:)`` or ``beginElement(_:_:)``.
    func append<T: Encodable>(_ value: T, at key: (any CodingKey)?) throws {
        switch kind(of: T.self) {
        case .direct: if let value = value as? any JSONWritable { return try appendScalar(value) }
        case .tree:
            try checkSize()
            return try JSONTree.append(
                value, at: path(to: slots.count - 1) + (key.map { [$0] } ?? []), to: &json, limit: limit,
                nonFinite: nonFinite)
        case .parts: break
        }
        try checkSize()
        let level = open(at: key)
        try value.encode(to: JSONStreamEncoder(stream: self, level: level, id: slots[level].id))
        close(insideOf: level - 1)
    }

    private func kind<T: Encodable>(of type: T.Type) -> Kind {
        let identifier = ObjectIdentifier(type)
        for known in kinds where known.type == identifier { return known.kind }
        let kind: Kind =
            if type is any JSONWritable.Type {
                .direct
            } else if type is any UnorderedKeys.Type {
                .tree
            } else {
                .parts
            }
        kinds.append((identifier, kind))
        return kind
    }

    func appendScalar(_ value: some JSONWritable) throws {
        try checkSize(value.minimumByteCount)
        try JSONStream.append(scalar: value, to: &json, nonFinite: nonFinite)
    }

    func appendNull() throws {
        try checkSize()
        json.append(contentsOf: "null".utf8)
    }

    /// Throws if the buffer exceeds its limit, or would exceed it with a number of further bytes.
    private func checkSize(_ count: Int = 0) throws {
        guard count <= maxBytes - json.count else { throw JSONSizeExceeded(limit: limit) }
    }

    /// Begins a value inside the innermost open one. Returns its level.
    func open(at key: (any CodingKey)?) -> Int {
        nextID += 1
        slots.append(Slot(id: nextID, key: key, firstKey: keys.count))
        return slots.count - 1
    }

    /// Returns the number of the open value at a level.
    // A container may outlive its value and be used later. The number shows whether the level still belongs to its
    // value.
    func id(of level: Int) -> Int { slots[level].id }

    func becomeObject(_ level: Int, _ id: Int) { become(.object, "{", level, id) }

    func becomeList(_ level: Int, _ id: Int) { become(.list, "[", level, id) }

    func becomeSingle(_ level: Int, _ id: Int) { become(.single, nil, level, id) }

    /// Returns the number of parts of a value.
    func count(_ level: Int, _ id: Int) -> Int { isOpen(level, id) ? slots[level].count : 0 }

    /// Begins the next member of an object. Returns false if the member cannot follow here, so that the tree must
    /// encode the value.
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
        JSONWriter.append(key, to: &json)
        json.append(UInt8(ascii: ":"))
        return true
    }

    /// Begins the next element of a list, or a single value. Returns false if it cannot follow here.
    func beginElement(_ level: Int, _ id: Int) -> Bool {
        guard isOpen(level, id), slots[level].shape != .single || slots[level].count == 0 else {
            isOutOfOrder = true
            return false
        }
        close(insideOf: level)
        beginPart(level)
        return true
    }

    /// Switches to the tree, and returns an encoder whose result is discarded.
    func fallBackToTree() -> any Encoder {
        isOutOfOrder = true
        return JSONTree.discardingEncoder
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
