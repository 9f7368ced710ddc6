/// Encodes `Encodable` values by building a tree. Keys have the order in which the type encodes them; those of
/// dictionaries are sorted, so that equal dictionaries have equal JSON. Slashes are not escaped.
package final class JSONTree {
    /// The text of all scalars, in the order of encoding.
    private var scalars: [UInt8] = []
    /// The maximum number of bytes of the scalars.
    private let limit: Int
    /// The form of numbers that JSON cannot represent.
    private let nonFinite: NonFiniteNumbers

    var userInfo: [CodingUserInfoKey: Any] { StoredForm.userInfo(nonFinite) }

    init(limit: Int = .max, nonFinite: NonFiniteNumbers = .rejected) {
        self.limit = limit
        self.nonFinite = nonFinite
    }

    /// Appends the JSON of a value; appends nothing if it throws. Throws ``JSONSizeExceeded`` as soon as its scalars exceed the
    /// limit.
    package static func append<T: Encodable>(
        _ value: T, at path: [any CodingKey] = [], to json: inout [UInt8], limit: Int = .max,
        nonFinite: NonFiniteNumbers = .rejected
    ) throws {
        let tree = JSONTree(limit: limit, nonFinite: nonFinite)
        let part = try tree.part(of: value, at: path)
        tree.append(part, to: &json)
    }

    package static var discardingEncoder: any Encoder {
        JSONTreeEncoder(tree: JSONTree(), node: JSONNode(), codingPath: [])
    }

    /// A value in the tree: the range of a scalar's text, or a node.
    enum Part {
        case scalar(Range<Int>)
        case node(JSONNode)
    }

    func null() -> Part { scalar { $0.append(contentsOf: "null".utf8) } }

    func part<T: Encodable>(of value: T, at path: [any CodingKey]) throws -> Part {
        guard scalars.count <= limit else { throw JSONSizeExceeded(limit: limit) }
        if let value = value as? any JSONWritable {
            guard value.minimumByteCount <= limit - scalars.count else { throw JSONSizeExceeded(limit: limit) }
            do {
                return try scalar(value.append)
            } catch {
                guard nonFinite == .bits, let text = NonFiniteNumbers.text(of: value) else { throw error }
                return scalar(text.append)
            }
        }
        let node = JSONNode(sortsKeys: T.self is any UnorderedKeys.Type)
        try value.encode(to: JSONTreeEncoder(tree: self, node: node, codingPath: path))
        return .node(node)
    }

    private func scalar(_ write: (inout [UInt8]) throws -> Void) rethrows -> Part {
        let start = scalars.count
        try write(&scalars)
        return .scalar(start..<scalars.count)
    }

    private func append(_ part: Part, to json: inout [UInt8]) {
        switch part {
        case .scalar(let range): json.append(contentsOf: scalars[range])
        case .node(let node): append(node, to: &json)
        }
    }

    private func append(_ node: JSONNode, to json: inout [UInt8]) {
        switch node.shape {
        case .value where node.parts.count == 1: append(node.parts[0], to: &json)
        case .list:
            appendAll(node.parts.indices, between: "[", "]", to: &json) { append(node.parts[$0], to: &$1) }
        case .value, .object:
            var order = Array(node.parts.indices)
            if node.sortsKeys { order.sort { node.keys[$0] < node.keys[$1] } }
            appendAll(order, between: "{", "}", to: &json) { index, json in
                JSONWriter.append(node.keys[index], to: &json)
                json.append(UInt8(ascii: ":"))
                append(node.parts[index], to: &json)
            }
        }
    }

    private func appendAll(
        _ indices: some Sequence<Int>, between opening: Unicode.Scalar, _ closing: Unicode.Scalar,
        to json: inout [UInt8], _ body: (Int, inout [UInt8]) -> Void
    ) {
        json.append(UInt8(ascii: opening))
        for (place, index) in indices.enumerated() {
            if place > 0 { json.append(UInt8(ascii: ",")) }
            body(index, &json)
        }
        json.append(UInt8(ascii: closing))
    }
}

/// The parts of a value that is not a scalar.
final class JSONNode {
    enum Shape {
        /// A single value, or an empty object if nothing was encoded.
        case value
        case object
        case list
    }

    let sortsKeys: Bool
    private(set) var shape = Shape.value
    private(set) var keys: [String] = []
    private(set) var parts: [JSONTree.Part] = []

    init(sortsKeys: Bool = false) {
        self.sortsKeys = sortsKeys
    }

    func become(_ shape: Shape) { self.shape = shape }

    /// Adds a member. A second value of a key replaces the first.
    func set(_ part: JSONTree.Part, for key: String) {
        // The keys of a dictionary are unique. A search would take quadratic time for large dictionaries.
        if !sortsKeys, let index = keys.firstIndex(of: key) {
            parts[index] = part
        } else {
            keys.append(key)
            parts.append(part)
        }
    }

    func append(_ part: JSONTree.Part) { parts.append(part) }
}

/// A type whose keys have no defined order: a dictionary, which encodes them in a varying order.
protocol UnorderedKeys {}

extension Dictionary: UnorderedKeys {}
