/// A value as a tree of texts, of which differences are found without the value being `Equatable`.
indirect enum DumpNode: Hashable {
    /// A text.
    case leaf(String)
    /// Children between two texts: `Counter.State(`, `)`.
    case group(open: String, children: [DumpChild], close: String, kind: Kind)

    /// How children correspond to those of another value.
    enum Kind: Hashable {
        /// By their labels.
        case members
        /// By their order.
        case elements
        /// By their labels, in an order without meaning.
        case entries
    }

    /// The value on one line, without the children of groups.
    var summary: String {
        switch self {
        case .leaf(let text): text.contains("\n") ? "…" : text
        case .group(let open, let children, let close, _): children.isEmpty ? "\(open)\(close)" : "\(open)…\(close)"
        }
    }

    /// The lines of the value.
    var lines: [String] {
        switch self {
        case .leaf(let text): return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        case .group(let open, let children, let close, _):
            if children.isEmpty { return ["\(open)\(close)"] }
            // The only associated value of a case, on the line of the case.
            if children.count == 1, children[0].label == nil, children[0].node.lines.count == 1, open.hasSuffix("(") {
                return ["\(open)\(children[0].node.lines[0])\(close)"]
            }
            return [open] + DumpChild.lines(of: children) + [close]
        }
    }
}

/// A child of a value, with its label.
struct DumpChild: Hashable {
    var label: String?
    let node: DumpNode
    /// Whether the label is the position, which does not tell elements apart.
    var isIndex = false

    /// The lines of children, indented and separated by commas.
    static func lines(of children: [DumpChild]) -> [String] {
        children.enumerated().flatMap { index, child in
            child.lines(isLast: index == children.count - 1).map { "  \($0)" }
        }
    }

    /// The lines of the child with its label, and a comma if more children follow.
    func lines(isLast: Bool) -> [String] {
        labelled(node.lines, isLast: isLast)
    }

    /// Returns lines with the label before the first one, and a comma after the last one if more children follow.
    func labelled(_ lines: [String], isLast: Bool) -> [String] {
        var lines = lines
        if let label, !lines.isEmpty { lines[0] = "\(label): \(lines[0])" }
        if !isLast, !lines.isEmpty { lines[lines.count - 1] += "," }
        return lines
    }
}
