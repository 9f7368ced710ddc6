import FoundationEssentials
import HTTPModel
import MachineHost

/// Writes values of any `Encodable` type: keys in the order in which the type writes them (those of dictionaries sorted, so
/// that equal dictionaries are equal texts), dates as RFC 3339, data as base64, slashes as they are.
final class JSONTree {
    /// The text of all scalars, in the order in which they were written.
    private var scalars: [UInt8] = []
    /// The most bytes that the scalars may have.
    private let limit: Int

    init(limit: Int = .max) {
        self.limit = limit
    }

    /// Appends the JSON of the value; nothing if it throws. Throws ``OutputTooLarge`` while its scalars are found to have
    /// more bytes than the limit.
    static func append<T: Encodable>(
        _ value: T, at path: [any CodingKey] = [], to json: inout [UInt8], limit: Int = .max
    ) throws {
        let tree = JSONTree(limit: limit)
        let part = try tree.part(of: value, at: path)
        tree.append(part, to: &json)
    }

    /// Whether values of a type are scalars here, whatever the type itself would write.
    static func isScalar(_ type: any Any.Type) -> Bool {
        type == Date.self || type == URL.self || type == Data.self || type == Decimal.self
    }

    /// A value in the tree: the place of a scalar's text, or what it is made of.
    enum Part {
        case scalar(Range<Int>)
        case node(JSONNode)
    }

    func null() -> Part { scalar { $0.append(contentsOf: "null".utf8) } }

    func part<T: Encodable>(of value: T, at path: [any CodingKey]) throws -> Part {
        guard scalars.count <= limit else { throw OutputTooLarge(limit: limit) }
        if let value = value as? any DirectlyWritten {
            guard value.leastByteCount <= limit - scalars.count else { throw OutputTooLarge(limit: limit) }
            return try scalar(value.append)
        }
        switch value {
        case let date as Date:
            guard let text = RFC3339.text(of: date) else {
                throw EncodingError.invalidValue(
                    date, .init(codingPath: path, debugDescription: "expected a date of the years 0 to 9999"))
            }
            return scalar(text.append)
        case let url as URL: return scalar(url.absoluteString.append)
        case let data as Data: return scalar(data.base64EncodedString().append)
        case let number as Decimal:
            guard number.isFinite else {
                throw EncodingError.invalidValue(
                    number, .init(codingPath: path, debugDescription: "expected a number that JSON has"))
            }
            return scalar { $0.append(contentsOf: number.description.utf8) }
        default:
            let node = JSONNode(sortsKeys: T.self is any KeysInNoOrder.Type)
            try value.encode(to: JSONTreeEncoder(tree: self, node: node, codingPath: path))
            return .node(node)
        }
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
                JSONText.append(node.keys[index], to: &json)
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

/// What a value that is no scalar is made of.
final class JSONNode {
    enum Shape {
        /// Whatever else it wrote, or an empty object if it wrote nothing.
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

    /// A second value of a key replaces the first. (The keys of a dictionary are not searched: they differ.)
    func set(_ part: JSONTree.Part, for key: String) {
        if !sortsKeys, let index = keys.firstIndex(of: key) {
            parts[index] = part
        } else {
            keys.append(key)
            parts.append(part)
        }
    }

    func append(_ part: JSONTree.Part) { parts.append(part) }
}

/// A dictionary: what order it writes its keys in means nothing and is not always the same.
protocol KeysInNoOrder {}

extension Dictionary: KeysInNoOrder {}
