import Log

/// A type that a configuration key can have: read from a flag or an environment variable as
/// text, from a file as JSON5, and written back as either.
protocol ConfigurationValue: Sendable, Equatable {
    /// What a reader should have written, for messages and for the help: "a whole number".
    static var expectation: String { get }

    /// Nil if `text`, from a flag or the environment, is no value of this type.
    init?(text: String)

    /// Nil if `json` is no value of this type; nothing is converted between JSON's types.
    init?(json: JSON5Value)

    /// The value as a flag or an environment variable would give it.
    var text: String { get }

    /// The value as the configuration file would give it.
    var literal: String { get }
}

/// A type whose values can be held between bounds.
protocol BoundedConfigurationValue: ConfigurationValue, Comparable {
    /// The bounds in words that go on from `expectation`: "from 1 to 64".
    static func bounds(_ bounds: ClosedRange<Self>) -> String
}

extension Int: BoundedConfigurationValue {
    static let expectation = "a whole number"

    init?(text: String) {
        self.init(text)
    }

    init?(json: JSON5Value) {
        guard case .number(let number) = json else { return nil }
        self.init(exactly: number)
    }

    var text: String { String(self) }
    var literal: String { text }

    static func bounds(_ bounds: ClosedRange<Int>) -> String {
        bounds.upperBound == .max
            ? "of \(bounds.lowerBound) or more" : "from \(bounds.lowerBound) to \(bounds.upperBound)"
    }
}

extension Bool: ConfigurationValue {
    static let expectation = "true or false"

    init?(text: String) {
        self.init(text)
    }

    init?(json: JSON5Value) {
        guard case .bool(let bool) = json else { return nil }
        self = bool
    }

    var text: String { description }
    var literal: String { text }
}

extension String: ConfigurationValue {
    static let expectation = "a text"

    init?(text: String) {
        self = text
    }

    init?(json: JSON5Value) {
        guard case .string(let string) = json else { return nil }
        self = string
    }

    var text: String { self }
    var literal: String { JSON5Text.quoted(self) }
}

extension Secret: ConfigurationValue {
    static let expectation = "a text"

    init?(text: String) {
        self.init(text)
    }

    init?(json: JSON5Value) {
        switch json {
        case .string(let string): self.init(string)
        case .null: self.init()
        default: return nil
        }
    }

    var text: String { description }
    var literal: String { "null" }
}

/// A type whose values are a short list of words.
protocol ConfigurationChoice: ConfigurationValue, CaseIterable, RawRepresentable where RawValue == String {}

extension ConfigurationChoice {
    static var expectation: String {
        "one of " + allCases.map(\.rawValue).joined(separator: ", ")
    }

    init?(text: String) {
        self.init(rawValue: text)
    }

    init?(json: JSON5Value) {
        guard case .string(let string) = json else { return nil }
        self.init(rawValue: string)
    }

    var text: String { rawValue }
    var literal: String { JSON5Text.quoted(rawValue) }
}

extension LogLevel: ConfigurationChoice {}

extension LogFormat: ConfigurationChoice {}

extension Configuration.TLS.Version: ConfigurationChoice {}
