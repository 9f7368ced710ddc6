/// The header fields of a response, looked up by name regardless of case.
package struct ResponseFields: ExpressibleByDictionaryLiteral {
    private var values: [String: String] = [:]

    /// Creates fields from names and values. Values whose names differ only in case are joined with commas, as in HTTP.
    package init(_ pairs: some Sequence<(String, String)>) {
        for (name, value) in pairs {
            values[name.lowercased()] = values[name.lowercased()].map { "\($0), \(value)" } ?? value
        }
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements)
    }

    /// The value of a field. `name` must be in lower case.
    package subscript(name: String) -> String? { values[name] }
}
