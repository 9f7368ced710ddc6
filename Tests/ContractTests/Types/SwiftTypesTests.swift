import MachineHost
import Testing

@testable import Contract

struct SwiftTypesTests {
    private func text(
        _ name: String = "counter", summary: String = "Counts.", parameters: JSONSchema? = nil,
        inputs: KeyValuePairs<String, JSONSchema> = [:], outputs: KeyValuePairs<String, JSONSchema> = [:],
        events: KeyValuePairs<String, JSONSchema> = [:], isAlwaysPresent: Bool = true
    ) -> String {
        SwiftTypes.text(
            of: contract(
                name, summary: summary, parameters: parameters, inputs: inputs, outputs: outputs, events: events,
                isAlwaysPresent: isAlwaysPresent), hash: "abc")
    }

    private func contract(
        _ name: String = "counter", summary: String = "Counts.", parameters: JSONSchema? = nil,
        inputs: KeyValuePairs<String, JSONSchema> = [:], outputs: KeyValuePairs<String, JSONSchema> = [:],
        events: KeyValuePairs<String, JSONSchema> = [:], isAlwaysPresent: Bool = true
    ) -> MachineContract {
        var contract = MachineContract([])
        contract.machines = [
            .init(
                name: name, summary: summary, parameters: parameters,
                inputs: inputs.map { .init(name: $0.key, schema: $0.value) },
                outputs: outputs.map {
                    .init(name: $0.key, kind: .value, schema: $0.value, isAlwaysPresent: isAlwaysPresent)
                } + events.map { .init(name: $0.key, kind: .event, schema: $0.value) })
        ]
        return contract
    }

    /// The type of an output.
    private func type(of schema: JSONSchema) -> String? {
        text(outputs: ["x": schema]).split(separator: "\n").first { $0.hasPrefix("        public var x: ") }.map {
            String($0.dropFirst("        public var x: ".count))
        }
    }

    private func object(_ members: KeyValuePairs<String, JSONSchema>, optional: Set<String> = []) -> JSONSchema {
        .object(members.map { .init(name: $0.key, schema: $0.value, isRequired: !optional.contains($0.key)) })
    }

    private let integer = JSONSchema.integer(minimum: .min, maximum: UInt64(Int64.max))

    @Test func `a machine has the types of its parameters, inputs, outputs and events`() {
        let text = text(
            parameters: object(["country": .string(format: nil)]), inputs: ["increment": .null, "isOn": .boolean],
            outputs: ["count": integer, "note": .optional(.string(format: nil))],
            events: ["failed": .string(format: nil)])
        #expect(text == Self.counter)
    }

    private static let counter = """
        // Types of machines, written by `granary types`. Do not edit.
        // Contract abc

        import GranaryClient

        /// Counts.
        public enum Counter: MachineSchema {
            public static let machineName = "counter"

            /// What a new session needs to know.
            public struct Parameters: Codable, Hashable, Sendable {
                public var country: String

                /// Creates the object from its members.
                public init(country: String) {
                    self.country = country
                }
            }

            /// The inputs.
            public enum Inputs: MachineInputs, Hashable {
                case increment
                case isOn(Bool)

                public func inputMessage() -> InputMessage {
                    switch self {
                    case .increment: InputMessage("increment")
                    case .isOn(let value): InputMessage("isOn", value)
                    }
                }
            }

            /// The outputs that have a value.
            public struct Outputs: MachineOutputs {
                public var count: Int
                public var note: String?

                public init(_ values: OutputValues) throws {
                    count = try values.value("count")
                    note = try values.optional("note")
                }

                public mutating func merge(_ values: OutputValues) throws {
                    try values.update("count", &count)
                    try values.update("note", &note)
                }
            }

            /// The outputs that only happen.
            public enum Events: MachineEvents {
                case failed(String)

                public static func read(_ event: EmittedEvent) throws -> Events? {
                    switch event.output {
                    case "failed": .failed(try event.value())
                    default: nil
                    }
                }
            }
        }
        """

    @Test func `every schema has a type`() {
        #expect(type(of: .any) == "JSON")
        #expect(type(of: .boolean) == "Bool")
        #expect(type(of: .number) == "Double")
        #expect(type(of: integer) == "Int")
        #expect(type(of: .integer(minimum: 0, maximum: .max)) == "UInt64")
        #expect(type(of: .integers([1, -2])) == "Int")
        #expect(type(of: .string(format: "date-time")) == "String")
        #expect(type(of: .strings(["a", "b"])) == "X")
        #expect(type(of: .strings([])) == "String")
        #expect(type(of: .optional(.array(.optional(.number)))) == "[Double?]?")
        #expect(type(of: .optional(.optional(.number))) == "Double?")
        #expect(type(of: .dictionary(.array(.boolean))) == "[String: [Bool]]")
        #expect(type(of: .array(object(["a": .null]))) == "[XItem]")
        #expect(type(of: .open([])) == "X")
    }

    @Test func `an output that may have no value yet is optional`() {
        #expect(text(outputs: ["x": .number], isAlwaysPresent: false).contains("public var x: Double?\n"))
        #expect(text(outputs: ["x": .number], isAlwaysPresent: false).contains("x = try values.optional(\"x\")"))
        #expect(text(outputs: ["x": .optional(.number)], isAlwaysPresent: false).contains("public var x: Double?\n"))
    }

    @Test func `equal objects have one type, and different ones have different names`() {
        let point = object(["x": .number])
        let text = text(
            inputs: ["move": point],
            outputs: ["place": point, "Place": object(["y": .number]), "points": .array(point)])
        #expect(text.contains("case move(Move)"))
        #expect(text.contains("public var place: Move\n"))
        #expect(text.contains("public var Place: Place\n"))
        #expect(text.contains("public var points: [Move]\n"))
        #expect(text.components(of: "public struct Move:") == 1)
    }

    @Test func `null is sent where a member is required, and nothing where it is not`() {
        let text = text(
            inputs: ["set": object(["a": .optional(.number), "b": .optional(.number), "c": .number], optional: ["b"])])
        #expect(text.contains("try container.encode(a, forKey: .a)"))
        #expect(text.contains("try container.encodeIfPresent(b, forKey: .b)"))
        #expect(text.contains("public init(a: Double? = nil, b: Double? = nil, c: Double) {"))
    }

    @Test func `members with the names of an encoder and its container are encoded`() {
        let text = text(inputs: ["set": object(["container": .optional(.number), "encoder": .number])])
        #expect(text.contains("try container.encode(self.container, forKey: .container)"))
        #expect(text.contains("try container.encode(self.encoder, forKey: .encoder)"))
    }

    @Test func `the text of a contract is always the same`() {
        let contract = contract(
            inputs: ["a": object(["x": .strings(["p", "q"])])], outputs: ["b": object(["y": .dictionary(.number)])])
        let texts = (1...20).map { _ in SwiftTypes.text(of: contract, hash: "abc") }
        #expect(Set(texts).count == 1)
    }

    @Test(arguments: [
        ("isOn", "isOn"), ("rows[].delete", "rowsDelete"), ("login.emailChanged", "loginEmailChanged"),
        ("my-input", "myInput"), ("1st", "_1st"), ("", "value"), ("größe", "größe"), ("self", "self_"),
        ("init", "init_"), ("merge", "merge_"), ("_", "__"), ("a b\n", "aB"), ("\u{1F600}", "value"),
        ("class", "class"), ("RawValue", "RawValue_"), ("CodingKeys", "CodingKeys_"),
    ])
    func `every name has an identifier`(text: String, expected: String) {
        #expect(SwiftName.member(text) == expected)
    }

    @Test func `keywords are in backticks, and names that become equal have numbers`() {
        let text = text(inputs: ["class": .null, "a-b": .null, "a.b": .null], outputs: ["default": .boolean])
        #expect(text.contains("case `class`\n"))
        #expect(text.contains("case .`class`: InputMessage(\"class\")"))
        #expect(text.contains("case aB\n") && text.contains("case aB_2\n"))
        #expect(text.contains("case .aB_2: InputMessage(\"a.b\")"))
        #expect(text.contains("public var `default`: Bool"))
    }

    @Test func `no name or summary leaves its place`() {
        let text = text(
            "string", summary: "A summary\npublic enum Evil {}", inputs: ["a\"b\\(c)\n": .null],
            outputs: ["x": .strings(["a\"", "\\(b)"])])
        #expect(text.contains("/// A summary public enum Evil {}\n"))
        #expect(text.contains("public enum String_2: MachineSchema {"))
        #expect(text.contains(#"InputMessage("a\"b\\(c)\u{a}")"#))
        #expect(text.contains(#"= "\\(b)""#))
    }
}

extension String {
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
