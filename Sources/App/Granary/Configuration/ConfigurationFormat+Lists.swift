extension ConfigurationFormat<[String]> {
    /// Lists of strings: arrays in files, separated by commas in flags and environment variables.
    public static var list: ConfigurationFormat {
        ConfigurationFormat<String>.list(
            expecting: "a list of strings (in a flag or an environment variable: separated by commas)", read: { $0 },
            write: { $0 })
    }

    /// Lists of strings that satisfy a condition.
    ///
    /// - Parameters:
    ///   - expectation: A description of the list that completes the sentence "Expects …", such as "a list of hosts".
    ///   - isValid: Returns whether an element is valid.
    public static func list(
        expecting expectation: String, where isValid: @escaping @Sendable (String) -> Bool
    ) -> ConfigurationFormat {
        ConfigurationFormat<String>.list(expecting: expectation, read: { isValid($0) ? $0 : nil }, write: { $0 })
    }
}

extension ConfigurationFormat {
    /// Lists of elements that are written as strings.
    ///
    /// - Parameters:
    ///   - expectation: A description of the list.
    ///   - elementExpectation: Returns a description of valid elements for an invalid one. The default describes the
    ///     list.
    ///   - read: Returns the element, or `nil` if the string is invalid.
    static func list<Element: Sendable>(
        expecting expectation: String, elementExpectation: @escaping @Sendable (String) -> String? = { _ in nil },
        read: @escaping @Sendable (String) -> Element?, write: @escaping @Sendable (Element) -> String
    ) -> ConfigurationFormat<[Element]> {
        ConfigurationFormat<[Element]>(
            expectation: expectation,
            read: { input in
                guard let strings = input.elements else { return nil }
                let elements = strings.compactMap(read)
                return elements.count == strings.count ? elements : nil
            }, text: { $0.map(write).joined(separator: ",") },
            literal: { "[" + $0.map { JSON5Text.quoted(write($0)) }.joined(separator: ", ") + "]" },
            invalidPart: { input in
                guard let invalid = input.elements?.first(where: { read($0) == nil }) else { return nil }
                return (elementExpectation(invalid) ?? expectation, invalid)
            })
    }
}

extension ConfigurationInput {
    /// The elements of a list of strings, or `nil` if the input is not one.
    fileprivate var elements: [String]? {
        switch self {
        case .text(let text): return text.split(separator: ",").map { $0.trimmingSpaces() }
        case .json(.array(let values)):
            let strings = values.compactMap { value -> String? in
                guard case .string(let string) = value else { return nil }
                return string
            }
            return strings.count == values.count ? strings : nil
        case .json: return nil
        }
    }
}

extension Substring {
    fileprivate func trimmingSpaces() -> String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
