/// A value as a tree of texts, of which differences are found without the value being `Equatable`.
indirect enum DumpNode: Hashable {
    /// A text that is shown unchanged.
    case leaf(String)
    /// A string, which is shown with quotes.
    case string(String)
    /// A text that stands for a value, which decides whether two such texts differ.
    case described(String, DumpedValue)
    /// An object, with its number among those of its type.
    case object(ObjectNumber, DumpNode)
    /// Children between two texts: `Counter.State(`, `)`.
    case group(open: String, children: [DumpChild], close: String, kind: Kind)

    /// How children correspond to those of another value.
    enum Kind: Hashable {
        /// By their labels.
        case members
        /// By their order.
        case elements
        /// As equal elements, in an order without meaning.
        case set
        /// By their labels, in an order that has a meaning or none.
        case dictionary(isOrdered: Bool)
    }

    /// Returns the lines of the value.
    ///
    /// - Parameter depth: The number of levels whose children are shown.
    func lines(depth: Int = .max) -> [String] {
        switch self {
        case .leaf(let text), .described(let text, _): return text.dumpedLines
        case .object(let number, let node):
            var lines = node.lines(depth: depth)
            if number.value > 0 { lines[0] = "#\(number.value) \(lines[0])" }
            return lines
        case .string(let text): return Self.lines(of: text, isWhole: depth > 0)
        case .group(_, let children, _, .dictionary) where children.isEmpty: return ["[:]"]
        case .group(let open, let children, let close, _):
            if children.isEmpty { return ["\(open)\(close)"] }
            if let member = onlyMember {
                let lines = member.lines(isLast: true, depth: depth - 1)
                if lines.count == 1 { return ["\(open)\(lines[0])\(close)"] }
            }
            guard depth > 0 else { return ["\(open)…\(close)"] }
            let inner = children.enumerated().flatMap { index, child in
                child.lines(isLast: index == children.count - 1, depth: depth - 1)
            }
            return [open] + inner.map { "  \($0)" } + [close]
        }
    }

    /// The only member, if it has no parts, and so stands on the line of the value.
    var onlyMember: DumpChild? {
        guard case .group(_, let children, _, .members) = self, children.count == 1 else { return nil }
        return children.first { $0.isSimple }
    }

    private static func lines(of string: String, isWhole: Bool) -> [String] {
        if string.contains(where: \.isNewline) {
            guard isWhole else { return ["\"…\""] }
            let signs = string.delimiterSigns(after: "\"\"\"")
            return ["\(signs)\"\"\""] + string.dumpedLines + ["\"\"\"\(signs)"]
        }
        guard string.contains("\"") || string.contains("\\") else { return [string.debugDescription] }
        let signs = string.delimiterSigns(after: "\"")
        return ["\(signs)\"\(string)\"\(signs)"]
    }
}

/// The number of an object among those of its type, from 0. Objects with equal members are equal whatever their numbers are.
struct ObjectNumber: Hashable {
    let value: Int

    static func == (lhs: ObjectNumber, rhs: ObjectNumber) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}

/// A value that is shown by a text of its own, and compared by what it is.
struct DumpedValue: Hashable {
    private let value: Any

    init(_ value: Any) {
        self.value = value
    }

    static func == (lhs: DumpedValue, rhs: DumpedValue) -> Bool {
        if let value = lhs.value as? any Equatable { return isEqual(value, rhs.value) }
        return lhs.members == rhs.members
    }

    private static func isEqual<Value: Equatable>(_ value: Value, _ other: Any) -> Bool {
        other as? Value == value
    }

    private var members: DumpNode {
        var dumper = Dumper()
        return dumper.members(of: value)
    }

    func hash(into hasher: inout Hasher) {}
}

/// A child of a value, with its label.
struct DumpChild: Hashable {
    var label: String?
    let node: DumpNode
    /// Whether the label is the position, which does not tell elements apart.
    var isIndex = false
    /// Whether the child has no parts.
    var isSimple = false
    /// The id of an `Identifiable` element, which tells it from others even if it changes.
    var id: AnyHashable?

    // Ids are not compared: those of objects differ, although nothing else does.
    static func == (lhs: DumpChild, rhs: DumpChild) -> Bool {
        lhs.label == rhs.label && lhs.node == rhs.node
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(label)
        hasher.combine(node)
    }

    /// Returns the lines of the child with its label, and a comma if more children follow.
    func lines(isLast: Bool, depth: Int = .max) -> [String] {
        var lines = node.lines(depth: depth)
        if let label {
            if case .string = node { lines = lines[..<1] + lines.dropFirst().map { "  \($0)" } }
            lines[0] = "\(label): \(lines[0])"
        }
        if !isLast { lines[lines.count - 1] += "," }
        return lines
    }
}

extension String {
    /// The lines, of which there is at least one.
    var dumpedLines: [String] {
        split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns the number signs around quotes in which this text needs no escapes.
    func delimiterSigns(after quotes: String) -> String {
        var signs = contains("\\") ? "#" : ""
        var rest = self[...]
        while let found = rest.firstRange(of: quotes) {
            rest = rest[found.upperBound...]
            let following = rest.prefix { $0 == "#" }
            if following.count >= signs.count { signs = following + "#" }
        }
        return signs
    }
}
