/// The difference of two trees, line by line.
struct DumpDifference {
    private enum Side {
        case both, first, second
    }

    /// The key by which corresponding elements are matched.
    private enum Key: Hashable {
        case label(String?)
        case id(AnyHashable)
        case node(DumpNode)
    }

    private let format: DiffFormat
    private(set) var lines: [String] = []

    init(_ first: DumpNode, _ second: DumpNode, format: DiffFormat) {
        self.format = format
        compare(DumpChild(label: nil, node: first), DumpChild(label: nil, node: second), "", "")
    }

    private mutating func add(_ side: Side, _ text: String) {
        let sign =
            switch side {
            case .both: format.both
            case .first: format.first
            case .second: format.second
            }
        lines.append("\(sign) \(text)")
    }

    private mutating func add(
        _ side: Side, _ child: DumpChild, _ indent: String, _ separator: String, depth: Int = .max
    ) {
        let lines = child.lines(isLast: true, depth: depth)
        for line in lines.dropLast() { add(side, indent + line) }
        for line in lines.suffix(1) { add(side, indent + line + separator) }
    }

    private mutating func compare(_ first: DumpChild, _ second: DumpChild, _ indent: String, _ separator: String) {
        if first.label == second.label, first.node == second.node {
            return add(.both, second, indent, separator, depth: 0)
        }
        if case .string(let text) = first.node, case .string(let other) = second.node,
            text.contains(where: \.isNewline) || other.contains(where: \.isNewline)
        {
            return compareLines(of: text, other, label: second.label, indent, separator)
        }
        guard case .group(let open, let children, let close, let kind) = first.node,
            case .group(open, let others, close, kind) = second.node, first.node.onlyMember == nil,
            second.node.onlyMember == nil
        else {
            add(.first, first, indent, separator)
            return add(.second, second, indent, separator)
        }
        // Only the labels differ.
        if children == others {
            add(.first, first, indent, separator, depth: 0)
            return add(.second, second, indent, separator, depth: 0)
        }
        add(.both, indent + (second.label.map { "\($0): " } ?? "") + open)
        compareChildren(children, others, kind, indent + "  ", ",")
        add(.both, indent + close + separator)
    }

    private mutating func compareLines(
        of first: String, _ second: String, label: String?, _ indent: String, _ separator: String
    ) {
        let signs = max(first.delimiterSigns(after: "\"\"\""), second.delimiterSigns(after: "\"\"\""))
        let inner = label == nil ? indent : indent + "  "
        func children(_ text: String) -> [DumpChild] {
            text.isEmpty ? [] : text.dumpedLines.map { DumpChild(label: nil, node: .leaf($0), id: $0) }
        }
        add(.both, "\(indent)\(label.map { "\($0): " } ?? "")\(signs)\"\"\"")
        compareChildren(children(first), children(second), .members, inner, "")
        add(.both, "\(inner)\"\"\"\(signs)\(separator)")
    }

    /// Compares children that may have come, gone or changed. Unchanged elements of collections are counted.
    private mutating func compareChildren(
        _ first: [DumpChild], _ second: [DumpChild], _ kind: DumpNode.Kind, _ indent: String, _ separator: String
    ) {
        let changes = second.map { key(of: $0, kind) }.difference(from: first.map { key(of: $0, kind) })
        let removed = Set(changes.removals.map(\.position)), inserted = Set(changes.insertions.map(\.position))
        var unchanged: [DumpChild] = []
        var (left, right) = (0, 0)
        while left < first.count || right < second.count {
            let isRemoved = removed.contains(left), isInserted = inserted.contains(right)
            if kind != .members, !isRemoved, !isInserted, first[left].node == second[right].node {
                unchanged.append(second[right])
                left += 1
                right += 1
                continue
            }
            let isFirstLast = left == first.count - 1, isSecondLast = right == second.count - 1
            if kind.isOrdered { note(&unchanged, kind, indent, right < second.count ? separator : "") }
            if isRemoved == isInserted {
                var old = first[left]
                // The positions differ because of changes before the element.
                if !isRemoved, old.isIndex { old.label = second[right].label }
                compare(old, second[right], indent, isFirstLast && isSecondLast ? "" : separator)
                left += 1
                right += 1
            } else if isRemoved {
                add(.first, first[left], indent, isFirstLast ? "" : separator)
                left += 1
            } else {
                add(.second, second[right], indent, isSecondLast && unchanged.isEmpty ? "" : separator)
                right += 1
            }
        }
        note(&unchanged, kind, indent, "")
    }

    private func key(of child: DumpChild, _ kind: DumpNode.Kind) -> Key {
        if let id = child.id { return .id(id) }
        switch kind {
        case .members, .dictionary: return .label(child.label)
        case .elements, .set: return .node(child.node)
        }
    }

    private mutating func note(
        _ unchanged: inout [DumpChild], _ kind: DumpNode.Kind, _ indent: String, _ separator: String
    ) {
        if kind.isOrdered, unchanged.count == 1 {
            add(.both, unchanged[0], indent, separator, depth: 0)
        } else if !unchanged.isEmpty {
            add(.both, "\(indent)… (\(unchanged.count) unchanged)\(separator)")
        }
        unchanged.removeAll()
    }
}

extension DumpNode.Kind {
    /// Whether the order of children has a meaning. If not, unchanged children are counted together at the end.
    fileprivate var isOrdered: Bool {
        self != .set && self != .dictionary(isOrdered: false)
    }
}

extension CollectionDifference.Change {
    fileprivate var position: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
