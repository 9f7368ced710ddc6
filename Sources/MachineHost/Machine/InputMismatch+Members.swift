extension InputMismatch {
    /// How many faults are reported of one value.
    package static let most = 8

    /// The mismatch of a member that an object does not have, with the nearest name that it has.
    package init(unknownMember name: String, known: [String]) {
        let shown = name.count > 40 ? name.prefix(39) + "…" : name[...]
        var detail = "unknown member \"\(shown)\""
        if let nearest = Nearest.name(for: String(name.prefix(64)), among: known) {
            detail += ", did you mean \"\(nearest)\"?"
        } else if !known.isEmpty {
            detail += ", expected " + known.prefix(8).map { "\"\($0)\"" }.joined(separator: ", ")
        }
        self.init(pointer: "/" + InputMismatch.pointerSegment(String(shown)), detail: detail)
    }

    /// The mismatch of the members of an object that are not among the known names; nil if there are none.
    package init?(unknownMembersOf object: JSONValue, known: [String]) {
        var names: [String] = []
        var scanner = JSONScanner(object.bytes, at: object.range.lowerBound)
        try? scanner.members { key, _ in
            guard let name = JSONValue(bytes: object.bytes, range: key).string, !known.contains(name) else { return }
            names.append(name)
        }
        let all = names.prefix(InputMismatch.most).map { InputMismatch(unknownMember: $0, known: known) }
        guard let first = all.first else { return nil }
        self = first
        others = Array(all.dropFirst())
    }

    /// The same mismatch of a value that is inside another, at that pointer.
    package func inside(_ pointer: String) -> InputMismatch {
        guard !pointer.isEmpty else { return self }
        return InputMismatch(
            pointer: pointer + self.pointer, detail: detail, others: others.map { $0.inside(pointer) })
    }

    /// A name as a part of a JSON Pointer (RFC 6901 §3).
    package static func pointerSegment(_ name: String) -> String {
        var escaped = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Every fault, each with its place.
    var items: [(pointer: String, detail: String)] {
        [(pointer, detail)] + others.map { ($0.pointer, $0.detail) }
    }
}
