/// The header fields of an answer, found by their names in any case.
package struct AnswerFields: ExpressibleByDictionaryLiteral {
    private var values: [String: String] = [:]

    /// Fields by their names; of names that differ in case only, the values are joined as HTTP joins them.
    package init(_ pairs: some Sequence<(String, String)>) {
        for (name, value) in pairs {
            values[name.lowercased()] = values[name.lowercased()].map { "\($0), \(value)" } ?? value
        }
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements)
    }

    /// The value of a field, named in lower case.
    package subscript(name: String) -> String? { values[name] }
}
