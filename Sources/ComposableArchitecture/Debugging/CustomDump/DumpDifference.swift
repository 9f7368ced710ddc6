/// The difference of two trees, line by line.
struct DumpDifference {
    private enum Side {
        case both, first, second
    }

    private let format: DiffFormat
    private(set) var lines: [String] = []

    init(_ first: DumpNode, _ second: DumpNode, format: DiffFormat) {
        self.format = format
        compare(DumpChild(label: nil, node: first), DumpChild(label: nil, node: second), "", true, true)
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

    private mutating func add(_ side: Side, _ child: DumpChild, _ indent: String, _ isLast: Bool) {
        for line in child.lines(isLast: isLast) { add(side, indent + line) }
    }

    private mutating func compare(
        _ first: DumpChild, _ second: DumpChild, _ indent: String, _ isFirstLast: Bool, _ isSecondLast: Bool
    ) {
        if first.node == second.node {
            for line in second.labelled([second.node.summary], isLast: isSecondLast) { add(.both, indent + line) }
            return
        }
        guard case .group(let open, let children, let close, let kind) = first.node,
            case .group(open, let others, close, kind) = second.node, !children.isEmpty, !others.isEmpty,
            !isInline(first, second)
        else {
            add(.first, first, indent, isFirstLast)
            add(.second, second, indent, isSecondLast)
            return
        }
        add(.both, indent + second.labelled([open], isLast: true)[0])
        switch kind {
        case .members where children.map(\.label) == others.map(\.label):
            for (index, pair) in zip(children, others).enumerated() {
                let isLast = index == children.count - 1
                compare(pair.0, pair.1, indent + "  ", isLast, isLast)
            }
        default: compareElements(children, others, indent + "  ")
        }
        add(.both, indent + DumpChild(label: nil, node: .leaf(close)).labelled([close], isLast: isSecondLast)[0])
    }

    /// Whether both are cases with one associated value on one line.
    private func isInline(_ first: DumpChild, _ second: DumpChild) -> Bool {
        first.node.lines.count == 1 && second.node.lines.count == 1
    }

    /// Compares elements that may have come, gone or changed. Runs of unchanged elements are counted.
    private mutating func compareElements(_ first: [DumpChild], _ second: [DumpChild], _ indent: String) {
        // Without their positions, which change when an element comes or goes before them.
        let keys = { (child: DumpChild) in DumpChild(label: child.isIndex ? nil : child.label, node: child.node) }
        let changes = second.map(keys).difference(from: first.map(keys))
        let removed = Set(changes.removals.map(\.position)), inserted = Set(changes.insertions.map(\.position))
        var (left, right, unchanged) = (0, 0, 0)
        while left < first.count || right < second.count {
            var gone: [Int] = [], added: [Int] = []
            while left < first.count, removed.contains(left) {
                gone.append(left)
                left += 1
            }
            while right < second.count, inserted.contains(right) {
                added.append(right)
                right += 1
            }
            if gone.isEmpty, added.isEmpty {
                unchanged += 1
                left += 1
                right += 1
                continue
            }
            note(&unchanged, indent, isLast: false)
            replace(gone.map { ($0, first[$0]) }, added.map { ($0, second[$0]) }, first.count, second.count, indent)
        }
        note(&unchanged, indent, isLast: true)
    }

    private mutating func replace(
        _ gone: [(Int, DumpChild)], _ added: [(Int, DumpChild)], _ firstCount: Int, _ secondCount: Int, _ indent: String
    ) {
        let canPair = zip(gone, added).allSatisfy { $0.1.isIndex || $0.1.label == $1.1.label }
        guard gone.count == added.count, canPair else {
            for (index, child) in gone { add(.first, child, indent, index == firstCount - 1) }
            for (index, child) in added { add(.second, child, indent, index == secondCount - 1) }
            return
        }
        for (old, new) in zip(gone, added) {
            compare(old.1, new.1, indent, old.0 == firstCount - 1, new.0 == secondCount - 1)
        }
    }

    private mutating func note(_ unchanged: inout Int, _ indent: String, isLast: Bool) {
        guard unchanged > 0 else { return }
        add(.both, "\(indent)… (\(unchanged) unchanged)\(isLast ? "" : ",")")
        unchanged = 0
    }
}

extension CollectionDifference.Change {
    fileprivate var position: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
