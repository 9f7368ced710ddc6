/// A parsed `Link` field (RFC 8288 §3), which refers to the other pages of a result.
///
/// Parsing is lenient (RFC 8288 appendix B): it stops at the first error and keeps the links before it.
package struct LinkHeader: Equatable {
    /// One link of the field.
    package struct Link: Equatable {
        /// The reference between the angle brackets, unchanged.
        package var target: String
        /// The relation types, in lower case.
        package var relations: [String]
        /// Whether the context of the link is another resource than the requested one (`anchor`).
        package var isAnchoredElsewhere: Bool
    }

    /// The links in the order of the field.
    package private(set) var links: [Link] = []

    /// Parses the value of a field. Values of several fields must be joined with commas.
    package init(_ value: String) {
        var scanner = LinkScanner(value)
        while let link = scanner.nextLink() {
            links.append(link)
        }
    }

    /// Returns the target of the first link with a relation, or `nil` if none exists.
    package func target(of relation: String) -> String? {
        links.first { !$0.isAnchoredElsewhere && $0.relations.contains(relation) }?.target
    }

    /// Returns the page number in the query of the first link with a relation.
    package func page(of relation: String) -> Int? {
        // Only the number is used: a client that builds its own URLs cannot be sent to another host by a response.
        guard let target = target(of: relation), let mark = target.firstIndex(of: "?") else { return nil }
        let query = target[target.index(after: mark)...].prefix { $0 != "#" }
        for pair in query.split(separator: "&") where pair.hasPrefix("page=") {
            return Int(pair.dropFirst("page=".count)).flatMap { $0 > 0 ? $0 : nil }
        }
        return nil
    }
}
