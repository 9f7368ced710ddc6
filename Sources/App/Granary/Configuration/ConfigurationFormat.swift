/// The way in which the values of a configuration key are written, and the values that are valid.
///
/// Flags and environment variables contain text, configuration files JSON5. A format reads and writes both.
public struct ConfigurationFormat<Value: Sendable>: Sendable {
    /// A description of valid values for messages and the help, such as "a whole number from 0 to 65535".
    let expectation: String
    /// Whether the values are true and false, so that a flag without a value means true.
    var isSwitch = false
    /// Returns the value, or `nil` if the input is invalid.
    let read: @Sendable (ConfigurationInput) -> Value?
    /// Returns the value as in a flag or an environment variable.
    let text: @Sendable (Value) -> String
    /// Returns the value as in a configuration file.
    let literal: @Sendable (Value) -> String
    /// Returns the expectation and the input of the invalid part of a composite value, if only a part of it is invalid.
    var invalidPart: @Sendable (ConfigurationInput) -> (expectation: String, part: String)? = { _ in nil }

    /// Returns a format for another type with the same spelling.
    func mapped<Other>(
        _ transform: @escaping @Sendable (Value) -> Other, back: @escaping @Sendable (Other) -> Value
    ) -> ConfigurationFormat<Other> {
        ConfigurationFormat<Other>(
            expectation: expectation, isSwitch: isSwitch, read: { read($0).map(transform) },
            text: { text(back($0)) }, literal: { literal(back($0)) }, invalidPart: invalidPart)
    }

    /// Returns a format that accepts only some of the values.
    func restricted(
        expecting expectation: String, where isValid: @escaping @Sendable (Value) -> Bool
    ) -> ConfigurationFormat {
        ConfigurationFormat(
            expectation: expectation, isSwitch: isSwitch, read: { read($0).flatMap { isValid($0) ? $0 : nil } },
            text: text, literal: literal)
    }
}

extension ConfigurationFormat<Bool> {
    /// `true` and `false`.
    public static var boolean: ConfigurationFormat {
        ConfigurationFormat(
            expectation: "true or false", isSwitch: true,
            read: { input in
                switch input {
                case .text(let text): Bool(text)
                case .json(.bool(let value)): value
                case .json: nil
                }
            }, text: { "\($0)" }, literal: { "\($0)" })
    }
}

extension ConfigurationFormat<Int> {
    /// Whole numbers within bounds.
    public static func number(in bounds: ClosedRange<Int>) -> ConfigurationFormat {
        ConfigurationFormat(
            expectation: "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)",
            read: { input in
                let number: Int? =
                    switch input {
                    case .text(let text): Int(text)
                    case .json(.number(let number)): Int(exactly: number)
                    case .json: nil
                    }
                return number.flatMap { bounds.contains($0) ? $0 : nil }
            }, text: { "\($0)" }, literal: { "\($0)" })
    }

    /// Numbers of bytes within bounds, written with a unit such as `64KiB`.
    public static func bytes(in bounds: ClosedRange<ByteCount>) -> ConfigurationFormat {
        ConfigurationFormat<ByteCount>.quantity(in: bounds).mapped {
            $0.bytes
        } back: {
            ByteCount(bytes: $0)
        }
    }
}

extension ConfigurationFormat<Duration> {
    /// Durations within bounds, written with a unit such as `15s`.
    public static func duration(in bounds: ClosedRange<Duration>) -> ConfigurationFormat { quantity(in: bounds) }
}

extension ConfigurationFormat where Value: QuantityText {
    static func quantity(in bounds: ClosedRange<Value>) -> ConfigurationFormat {
        ConfigurationFormat(
            expectation: "\(Value.expectation) from \(bounds.lowerBound.text) to \(bounds.upperBound.text)",
            read: { input in
                let value: Value? =
                    switch input {
                    case .text(let text), .json(.string(let text)): Value(text: text)
                    case .json: nil
                    }
                return value.flatMap { bounds.contains($0) ? $0 : nil }
            }, text: { $0.text }, literal: { JSON5Text.quoted($0.text) })
    }
}

extension ConfigurationFormat<String> {
    /// Any string.
    public static var text: ConfigurationFormat {
        ConfigurationFormat(
            expectation: "a string",
            read: { input in
                switch input {
                case .text(let text), .json(.string(let text)): text
                case .json: nil
                }
            }, text: { $0 }, literal: { JSON5Text.quoted($0) })
    }

    /// Strings that satisfy a condition.
    ///
    /// - Parameters:
    ///   - expectation: A description of valid strings that completes the sentence "Expects …", such as "a host name".
    ///   - isValid: Returns whether a string is valid.
    public static func text(
        expecting expectation: String, where isValid: @escaping @Sendable (String) -> Bool
    ) -> ConfigurationFormat {
        ConfigurationFormat.text.restricted(expecting: expectation, where: isValid)
    }
}

extension ConfigurationFormat<Secret> {
    /// A secret. `check-config` and `print-defaults` do not print its value.
    public static var secret: ConfigurationFormat {
        ConfigurationFormat(
            expectation: "a string",
            read: { input in
                switch input {
                case .text(let text), .json(.string(let text)): Secret(text)
                case .json(.null): Secret()
                case .json: nil
                }
            }, text: { $0.description }, literal: { _ in "null" })
    }
}

extension ConfigurationFormat where Value: CaseIterable & Equatable & RawRepresentable<String> {
    /// The raw values of an enumeration.
    public static var choice: ConfigurationFormat {
        oneOf(Value.allCases.map { ($0.rawValue, $0) })
    }
}

extension ConfigurationFormat where Value: Equatable {
    /// A choice between named values.
    static func oneOf(_ choices: [(name: String, value: Value)]) -> ConfigurationFormat {
        let name: @Sendable (Value) -> String = { value in choices.first { $0.value == value }?.name ?? "" }
        return ConfigurationFormat(
            expectation: "one of " + choices.map(\.name).joined(separator: ", "),
            read: { input in
                switch input {
                case .text(let text), .json(.string(let text)): choices.first { $0.name == text }?.value
                case .json: nil
                }
            }, text: name, literal: { JSON5Text.quoted(name($0)) })
    }
}
