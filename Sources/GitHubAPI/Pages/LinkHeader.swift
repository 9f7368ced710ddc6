/// A `Link` field (RFC 8288 §3): where the pages beside an answer are.
///
/// Reading is lenient as RFC 8288 appendix B is: what cannot be read ends the reading, and the links before it hold.
package struct LinkHeader: Equatable {
    /// One link of the field.
    package struct Link: Equatable {
        /// The reference between the angle brackets, as sent.
        package var target: String
        /// The relation types, in lower case.
        package var relations: [String]
        /// Whether the link is about another resource than the one that was asked for (`anchor`).
        package var isAnchoredElsewhere: Bool
    }

    /// The links in the order of the field.
    package private(set) var links: [Link] = []

    /// Reads a field's value; several fields are joined with commas first, as HTTP has it.
    package init(_ value: String) {
        var scanner = LinkScanner(value)
        while let link = scanner.nextLink() {
            links.append(link)
        }
    }

    /// The target of the first link with that relation, `nil` if there is none.
    package func target(of relation: String) -> String? {
        links.first { !$0.isAnchoredElsewhere && $0.relations.contains(relation) }?.target
    }

    /// The page number in the query of the first link with that relation. Only the number is taken: a client that
    /// builds its own address cannot be sent elsewhere by an answer.
    package func page(of relation: String) -> Int? {
        guard let target = target(of: relation), let mark = target.firstIndex(of: "?") else { return nil }
        let query = target[target.index(after: mark)...].prefix { $0 != "#" }
        for pair in query.split(separator: "&") where pair.hasPrefix("page=") {
            return Int(pair.dropFirst("page=".count)).flatMap { $0 > 0 ? $0 : nil }
        }
        return nil
    }
}
