import MachineHost
import Testing

@testable import Contract

struct TypeScriptTypesTests {
    private func text(
        _ name: String = "counter", summary: String = "Counts.", parameters: JSONSchema? = nil,
        inputs: KeyValuePairs<String, JSONSchema> = [:], outputs: KeyValuePairs<String, JSONSchema> = [:],
        events: KeyValuePairs<String, JSONSchema> = [:]
    ) -> String {
        var contract = MachineContract([])
        contract.machines = [
            .init(
                name: name, summary: summary, parameters: parameters,
                inputs: inputs.map { .init(name: $0.key, schema: $0.value) },
                outputs: outputs.map { .init(name: $0.key, kind: .value, schema: $0.value) }
                    + events.map { .init(name: $0.key, kind: .event, schema: $0.value) })
        ]
        return TypeScriptTypes.text(of: contract, hash: "abc")
    }

    /// The type of an output.
    private func type(of schema: JSONSchema) -> String? {
        text(outputs: ["x": schema]).split(separator: "\n").first { $0.hasPrefix("      x: ") }.map {
            String($0.dropFirst(9).dropLast())
        }
    }

    private func object(_ members: KeyValuePairs<String, JSONSchema>, optional: Set<String> = []) -> JSONSchema {
        .object(members.map { .init(name: $0.key, schema: $0.value, isRequired: !optional.contains($0.key)) })
    }

    @Test func `a machine has the types of its parameters, inputs, outputs and events`() {
        let text = text(
            parameters: object(["id": .string(format: "uuid")]), inputs: ["increment": .null, "set": .number],
            outputs: ["count": .integer(minimum: nil, maximum: nil)], events: ["failed": .string(format: nil)])
        #expect(
            text == """
                // Types of machines, written by `granary types`. Do not edit.
                // Contract abc

                /** The machines by name. */
                export interface Machines {
                  /** Counts. */
                  counter: {
                    parameters: { id: string };
                    inputs: {
                      increment: null;
                      set: number;
                    };
                    outputs: {
                      count: number;
                    };
                    events: {
                      failed: string;
                    };
                  };
                }

                /** The name of a machine. */
                export type MachineName = keyof Machines;

                /** The types of a machine: `Machine<'counter'>['outputs']`. */
                export type Machine<Name extends MachineName> = Machines[Name];
                """)
    }

    @Test func `a machine without ports has none, rather than any`() {
        let text = text()
        #expect(text.contains("parameters: null;"))
        for section in ["inputs", "outputs", "events"] { #expect(text.contains("\(section): Record<never, never>;")) }
    }

    @Test func `every schema has a type`() {
        #expect(type(of: .any) == "unknown")
        #expect(type(of: .boolean) == "boolean")
        #expect(type(of: .optional(.array(.optional(.number)))) == "Array<number | null> | null")
        #expect(type(of: .dictionary(.array(.boolean))) == "Record<string, Array<boolean>>")
        #expect(type(of: .strings(["a", "b\"c"])) == #""a" | "b\"c""#)
        #expect(type(of: .array(.strings(["a", "b"]))) == #"Array<"a" | "b">"#)
        #expect(type(of: .integers([1, -2])) == "1 | -2")
        #expect(type(of: .strings([])) == "never")
        #expect(type(of: object([:])) == "Record<string, never>")
        #expect(type(of: object(["a": .boolean, "b": .number], optional: ["b"])) == "{ a: boolean; b?: number }")
        #expect(type(of: .open([.init(name: "a", schema: .null, isRequired: true)])) == "{ a: null }")
    }

    @Test func `names that are no identifiers are in quotes, and keywords are not`() {
        let text = text(
            "my-machine", summary: "Ends */ a comment\nand a line.",
            inputs: [
                "rows[].delete": .null, "1st": .null, "_private": .null, "class": .null, "größe": .null, "": .null,
            ])
        #expect(text.contains(#"  "my-machine": {"#))
        #expect(text.contains("/** Ends *\u{200B}/ a comment and a line. */"))
        for key in [#""rows[].delete""#, #""1st""#, "_private", "class", #""größe""#, #""""#] {
            #expect(text.contains("      \(key): null;"))
        }
    }

    @Test func `recursive types are declarations with names that no other type has`() {
        let next = JSONSchema.Member(name: "next", schema: .optional(.reference("List")), isRequired: false)
        let definition = JSONSchema.Definition(name: "List", schema: .object([next]))
        let list = JSONSchema.definitions(.reference("List"), [definition])
        let lists = JSONSchema.definitions(.array(.reference("List")), [definition])
        let text = text("a", outputs: ["b": list, "b ": lists])
        #expect(text.contains("      b: RecursiveAOutputsBList;"))
        #expect(text.contains(#"      "b ": Array<RecursiveAOutputsBList_2>;"#))
        #expect(text.contains("type RecursiveAOutputsBList = { next?: RecursiveAOutputsBList | null };"))
    }
}
