/// Returns a line-by-line difference of two values, or nil if their descriptions are equal.
///
/// Lines that only the first value has begin with a minus sign, lines that only the second has with a plus sign, and
/// common lines with a figure space, which is as wide as the signs.
func debugDiff<T>(_ before: T, _ after: T, printer: (T) -> String = { debugOutput($0) }) -> String? {
    let (first, second) = (printer(before), printer(after))
    guard first != second else { return nil }
    return LineDifference(first, second).text
}

/// The line-by-line difference of two texts.
struct LineDifference {
    private enum Line {
        case both(Substring)
        case first(Substring)
        case second(Substring)
    }

    private var lines: [Line] = []

    init(_ first: String, _ second: String) {
        let (first, second) = (Self.lines(of: first), Self.lines(of: second))
        let changes = second.difference(from: first)
        let removed = Set(changes.removals.map(\.place))
        let inserted = Set(changes.insertions.map(\.place))
        var (left, right) = (0, 0)
        while left < first.count || right < second.count {
            if removed.contains(left), left < first.count {
                lines.append(.first(first[left]))
                left += 1
            } else if inserted.contains(right), right < second.count {
                lines.append(.second(second[right]))
                right += 1
            } else {
                lines.append(.both(first[left]))
                left += 1
                right += 1
            }
        }
    }

    private static func lines(of text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// All lines.
    var text: String { text(context: .max) }

    /// Returns the differing lines with `context` lines around them. Longer runs of common lines are elided.
    func text(context: Int) -> String {
        var result: [String] = []
        var shared: ArraySlice<Line> = []
        func flush(isLast: Bool) {
            let isFirst = result.isEmpty
            let head = isFirst ? 0 : context
            let tail = isLast ? 0 : context
            let isShort = context == .max || shared.count <= head + tail + 1
            if isShort {
                result += shared.map(Self.text)
            } else {
                result += shared.prefix(head).map(Self.text)
                result.append("    … \(shared.count - head - tail) unchanged lines …")
                result += shared.suffix(tail).map(Self.text)
            }
            shared = []
        }
        for line in lines {
            if case .both = line {
                shared.append(line)
            } else {
                flush(isLast: false)
                result.append(Self.text(line))
            }
        }
        flush(isLast: true)
        return result.joined(separator: "\n")
    }

    private static func text(_ line: Line) -> String {
        switch line {
        case .both(let text): "\u{2007} \(text)"
        case .first(let text): "− \(text)"
        case .second(let text): "+ \(text)"
        }
    }
}

extension CollectionDifference.Change {
    fileprivate var place: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
