package import JSONText

extension InputMismatch {
    /// The maximum number of faults that are reported for one value.
    package static let maxReported = 8

    /// Creates the mismatch of an unknown member, with the nearest known name.
    package init(unknownMember name: String, known: [String]) {
        // A client chooses the name, so its length in the response, and the cost of the search for the nearest name,
        // are limited.
        let shown = name.count > 40 ? name.prefix(39) + "…" : name[...]
        var detail = "unknown member \"\(shown)\""
        if let nearest = Nearest.name(for: String(name.prefix(64)), among: known) {
            detail += ", did you mean \"\(nearest)\"?"
        } else if !known.isEmpty {
            detail += ", expected " + known.prefix(8).map { "\"\($0)\"" }.joined(separator: ", ")
        }
        self.init(pointer: "/" + JSONPointer.segment(String(shown)), detail: detail)
    }

    /// Creates a mismatch of all members of an object that are not among the known names. Returns nil if all
    /// names are known.
    package init?(unknownMembersOf object: JSONValue, known: [String]) {
        var names: [String] = []
        var scanner = JSONScanner(object.bytes, at: object.range.lowerBound)
        try? scanner.members { key, _ in
            guard let name = JSONValue(bytes: object.bytes, range: key).string, !known.contains(name) else { return }
            names.append(name)
        }
        let all = names.prefix(InputMismatch.maxReported).map { InputMismatch(unknownMember: $0, known: known) }
        guard let first = all.first else { return nil }
        self = first
        others = Array(all.dropFirst())
    }

    /// Returns the mismatch relative to a value that contains this one at a pointer.
    package func inside(_ pointer: String) -> InputMismatch {
        guard !pointer.isEmpty else { return self }
        return InputMismatch(
            pointer: pointer + self.pointer, detail: detail, others: others.map { $0.inside(pointer) })
    }

    /// All faults with their pointers.
    var items: [(pointer: String, detail: String)] {
        [(pointer, detail)] + others.map { ($0.pointer, $0.detail) }
    }
}
