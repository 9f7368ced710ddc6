/// One thing that can be configured: its name, what it means, and how it is read and written.
struct ConfigurationKey: Sendable {
    /// The section and the name in it: `http.port`.
    let name: String
    /// What the key does, in a sentence or two.
    let explanation: String
    /// What a value must look like, bounds and unit included: "a whole number from 0 to 65535".
    let expectation: String

    /// Whether its values are true and false.
    let isSwitch: Bool

    private let parse: @Sendable (RawValue) -> (@Sendable (inout Configuration) -> Void)?
    private let show: @Sendable (Configuration) -> (text: String, literal: String)
    /// The part of a value that is refused, and what was expected there; nil where there is no such part.
    private let findFault: @Sendable (RawValue) -> Fault?

    /// An element of a list that is none.
    struct Fault: Sendable {
        /// What it should have been.
        let expectation: String
        /// What it is.
        let element: String
    }

    /// A value as it came, before it is known whether it fits.
    enum RawValue: Sendable {
        case text(String)
        case json(JSON5Value)
    }

    private init<Value: ConfigurationValue>(
        _ name: String, _ path: any WritableKeyPath<Configuration, Value> & Sendable, expectation: String,
        explanation: String, findFault: @escaping @Sendable (RawValue) -> Fault? = { _ in nil },
        accepts: @escaping @Sendable (Value) -> Bool
    ) {
        self.findFault = findFault
        self.name = name
        self.explanation = explanation
        self.expectation = expectation
        isSwitch = Value.self == Bool.self
        parse = { raw in
            guard let value = Value(raw), accepts(value) else { return nil }
            return { $0[keyPath: path] = value }
        }
        show = { configuration in
            let value = configuration[keyPath: path]
            return (value.text, value.literal)
        }
    }

    /// A key whose type says all about its values.
    init<Value: ConfigurationValue>(
        _ name: String, _ path: any WritableKeyPath<Configuration, Value> & Sendable, _ explanation: String
    ) {
        self.init(name, path, expectation: Value.expectation, explanation: explanation) { _ in true }
    }

    /// A key whose values are lists of what its type says.
    init<Element: ConfigurationListElement>(
        _ name: String, _ path: any WritableKeyPath<Configuration, [Element]> & Sendable, _ explanation: String
    ) {
        self.init(
            name, path, expectation: [Element].expectation, explanation: explanation, findFault: [Element].fault,
            accepts: { _ in true })
    }

    /// A key whose values lie between bounds.
    init<Value: BoundedConfigurationValue>(
        _ name: String, _ path: any WritableKeyPath<Configuration, Value> & Sendable, _ bounds: ClosedRange<Value>,
        _ explanation: String
    ) {
        let expectation = "\(Value.expectation) \(Value.bounds(bounds))"
        self.init(name, path, expectation: expectation, explanation: explanation) { bounds.contains($0) }
    }

    /// A key whose values are texts of a certain form.
    init(
        _ name: String, _ path: any WritableKeyPath<Configuration, String> & Sendable, expectation: String,
        _ explanation: String, accepts: @escaping @Sendable (String) -> Bool
    ) {
        self.init(name, path, expectation: expectation, explanation: explanation, accepts: accepts)
    }

    /// A key whose values are lists of texts of a certain form.
    init(
        _ name: String, _ path: any WritableKeyPath<Configuration, [String]> & Sendable, expectation: String,
        _ explanation: String, accepts: @escaping @Sendable (String) -> Bool
    ) {
        self.init(
            name, path, expectation: expectation, explanation: explanation,
            findFault: { raw in
                let refused = [String].elements(raw)?.first { !accepts($0) }
                return refused.map { Fault(expectation: expectation, element: $0) }
            },
            accepts: { $0.allSatisfy(accepts) })
    }

    /// The section that the key stands in: `http`.
    var section: String { String(name.prefix { $0 != "." }) }

    /// The key's name in its section: `port`.
    var member: String { String(name.drop { $0 != "." }.dropFirst()) }

    /// The environment variable that sets the key: `GRANARY_HTTP_MAX_HEAD_BYTES` for `http.maxHeadBytes`.
    var environmentName: String {
        var result = "GRANARY_"
        var previous: Character = "."
        for (index, character) in zip(name.indices, name) {
            // A word begins behind a small letter, and with the last of several capitals: `IN_A_ROW`, `BASE_URL`.
            let next = name[name.index(after: index)...].first
            let beginsWord = previous.isLowercase || previous.isUppercase && next?.isLowercase == true
            if character.isUppercase && beginsWord { result += "_" }
            result += character == "." ? "_" : character.uppercased()
            previous = character
        }
        return result
    }

    /// Sets the key's value; false, and nothing set, if it is none.
    func assign(_ raw: RawValue, to configuration: inout Configuration) -> Bool {
        guard let set = parse(raw) else { return false }
        set(&configuration)
        return true
    }

    /// What is wrong with a value that is none: what was expected, and what came.
    func complaint(about raw: RawValue) -> String {
        guard let fault = findFault(raw) else { return "expected \(expectation), got \(raw.shown)" }
        return "expected \(fault.expectation), got \(JSON5Text.quoted(String(fault.element.prefix(80))))"
    }

    /// The value as a flag would give it; a secret shows as `set` or `unset`.
    func text(in configuration: Configuration) -> String { show(configuration).text }

    /// The value as the configuration file would give it; a secret shows as `null`.
    func literal(in configuration: Configuration) -> String { show(configuration).literal }
}

extension ConfigurationValue {
    fileprivate init?(_ raw: ConfigurationKey.RawValue) {
        switch raw {
        case .text(let text): self.init(text: text)
        case .json(let value): self.init(json: value)
        }
    }
}
