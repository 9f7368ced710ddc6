package import StateCapture

/// The values of a session that an operator sees.
///
/// Values are hidden until the operator reveals them. What the registration of a machine marks as secret or sensitive is never
/// shown, and neither are the captured states and effects of such a machine: they may contain what a secret has led to.
struct ValueDisclosure: Sendable {
    /// Whether the operator has asked for values.
    let isRevealed: Bool
    /// The parts of the concealed names; nil if everything is concealed, because the machine is not known to this build.
    private let concealed: Set<Substring>?

    /// Creates the disclosure of a machine's values.
    ///
    /// - Parameters:
    ///   - definition: The machine; nil if this build does not host it.
    ///   - isRevealed: Whether the operator has asked for values.
    init(_ definition: MachineDefinition?, isRevealed: Bool) {
        self.isRevealed = isRevealed
        concealed = definition.map { definition in
            Set(definition.secrets.union(definition.sensitive).flatMap { $0.split { ".{/".contains($0) } })
        }
    }

    /// Whether captured states and the questions and answers of effects are never shown.
    var concealsStates: Bool { concealed?.isEmpty != true }

    /// Returns whether the value of an input or output is never shown.
    func conceals(_ name: String) -> Bool {
        guard let concealed else { return true }
        return !concealed.isEmpty
            && (concealed.contains(name[...]) || !concealed.isDisjoint(with: name.split(separator: ".")))
    }

    /// Returns the value of an input or output for an operator: its name and size and, if it is shown, the value.
    func described(_ name: String, _ json: ArraySlice<UInt8>) -> StateValue {
        described(name, json, isConcealed: conceals(name))
    }

    /// Returns a captured state for an operator.
    func described(state name: String, _ json: ArraySlice<UInt8>) -> StateValue {
        described(name, json, isConcealed: concealsStates)
    }

    private func described(_ name: String, _ json: ArraySlice<UInt8>, isConcealed: Bool) -> StateValue {
        var described: StateValue = ["name": .string(name)]
        if isConcealed {
            described["concealed"] = true
            return described
        }
        described["bytes"] = StateValue(integerLiteral: json.count)
        if isRevealed { described["value"] = StateValue.read(json) }
        return described
    }
}

extension StateValue {
    package static func read(_ json: ArraySlice<UInt8>) -> StateValue { (try? StateValue(json: json)) ?? .null }

    package init(_ number: some BinaryInteger) { self = .number("\(number)") }

    /// Creates a number; `null` for none.
    package init(_ number: (some BinaryInteger)?) { self = number.map { .number("\($0)") } ?? .null }

    /// Creates a string; `null` for none.
    package init(_ text: String?) { self = text.map { .string($0) } ?? .null }

    /// Creates the text of a wall time in milliseconds of Unix time.
    package init(time milliseconds: Int64) {
        let (seconds, rest) = milliseconds.quotientAndRemainder(flooringBy: 1000)
        let digits = "\(1000 + rest)".dropFirst()
        self = .string("\(WallTime(seconds: seconds).text.dropLast()).\(digits)Z")
    }

    /// Creates the text of a time; `null` for none.
    package init(time milliseconds: Int64?) { self = milliseconds.map { StateValue(time: $0) } ?? .null }
}
