import MachineHost

/// Writes the types of machines for the module `GranaryClient`.
package enum SwiftTypes {
    /// Returns a source file with one enumeration for each machine, whose nested types are those of its parameters, inputs, outputs
    /// and events. The text is the same for the same machines.
    ///
    /// - Parameter hash: The hash of the contract, which the header names.
    package static func text(of contract: MachineContract, hash: String) -> String {
        // A machine named "string" must not take the place of the type.
        var names = DistinctNames(taken: SwiftName.takenTypes)
        let machines = contract.machines.flatMap { machine in
            [""] + lines(of: machine, named: names.reserve(SwiftName.type([machine.name])))
        }
        return (TypesHeader.lines(hash: hash) + ["import GranaryClient"] + machines).joined(separator: "\n")
    }

    private static func lines(of machine: MachineContract.Machine, named name: String) -> [String] {
        var writer = SwiftWriter()
        var sections: [[String]] = [["public static let machineName = \(SwiftWriter.literal(machine.name))"]]
        if let schema = machine.parameters { sections.append(parameters(schema, &writer)) }
        sections.append(inputs(machine.inputs, &writer))
        sections.append(outputs(machine.outputs.filter { $0.kind == .value }, &writer))
        let events = machine.outputs.filter { $0.kind == .event }
        if !events.isEmpty { sections.append(self.events(events, &writer)) }
        let body = (sections + writer.declarations).joined(separator: [""])
        return ["/// \(TypesHeader.oneLine(machine.summary))", "public enum \(name): MachineSchema {"]
            + SwiftWriter.indented(Array(body)) + ["}"]
    }

    private static func parameters(_ schema: JSONSchema, _ writer: inout SwiftWriter) -> [String] {
        let comment = "/// What a new session needs to know."
        let (inner, names) = writer.define(schema, in: ["Parameters"])
        switch inner.unnamed {
        case .object(let members), .open(let members):
            return [comment] + writer.structure("Parameters", members, in: ["Parameters"], names)
        default:
            return [comment, "public typealias Parameters = \(writer.type(of: inner, in: ["Parameters"], names))"]
        }
    }

    private static func inputs(_ inputs: [MachineContract.Input], _ writer: inout SwiftWriter) -> [String] {
        var names = DistinctNames()
        var (cases, messages): ([String], [String]) = ([], [])
        for input in inputs {
            let name = SwiftName.written(names.reserve(SwiftName.member(input.name)))
            let text = SwiftWriter.literal(input.name)
            if input.schema == .null {
                cases.append("case \(name)")
                messages.append("case .\(name): InputMessage(\(text))")
            } else {
                let type = writer.type(ofPort: input.schema, in: [input.name])
                cases.append("case \(name)(\(type))")
                messages.append("case .\(name)(let value): InputMessage(\(text), value)")
            }
        }
        let body = ["switch self {"] + messages + ["}"]
        let function = ["public func inputMessage() -> InputMessage {"] + SwiftWriter.indented(body) + ["}"]
        return ["/// The inputs.", "public enum Inputs: MachineInputs, Hashable {"]
            + SwiftWriter.indented(cases + (cases.isEmpty ? [] : [""]) + function) + ["}"]
    }

    private static func outputs(_ outputs: [MachineContract.Output], _ writer: inout SwiftWriter) -> [String] {
        var names = DistinctNames()
        var (properties, reads, updates): ([String], [String], [String]) = ([], [], [])
        for output in outputs {
            let name = SwiftName.written(names.reserve(SwiftName.member(output.name)))
            let text = SwiftWriter.literal(output.name)
            let type = writer.type(ofPort: output.schema, in: [output.name])
            // An output that has no value yet is missing, and one that is nil is null.
            let isOptional = type.hasSuffix("?")
            let mayBeMissing = isOptional || !output.isAlwaysPresent
            properties.append("public var \(name): \(type)\(mayBeMissing && !isOptional ? "?" : "")")
            // The parameter has this name, too.
            let property = name == "values" ? "self.values" : name
            reads.append("\(property) = try values.\(mayBeMissing ? "optional" : "value")(\(text))")
            updates.append("try values.update(\(text), &\(property))")
        }
        let reading = ["public init(_ values: OutputValues) throws {"] + SwiftWriter.indented(reads) + ["}", ""]
        let merging =
            ["public mutating func merge(_ values: OutputValues) throws {"] + SwiftWriter.indented(updates) + ["}"]
        return ["/// The outputs that have a value.", "public struct Outputs: MachineOutputs {"]
            + SwiftWriter.indented(properties + (properties.isEmpty ? [] : [""]) + reading + merging) + ["}"]
    }

    private static func events(_ events: [MachineContract.Output], _ writer: inout SwiftWriter) -> [String] {
        var names = DistinctNames()
        var (cases, reads): ([String], [String]) = ([], [])
        for event in events {
            let name = SwiftName.written(names.reserve(SwiftName.member(event.name)))
            let text = SwiftWriter.literal(event.name)
            if event.schema == .null {
                cases.append("case \(name)")
                reads.append("case \(text): .\(name)")
            } else {
                let type = writer.type(ofPort: event.schema, in: [event.name])
                cases.append("case \(name)(\(type))")
                reads.append("case \(text): .\(name)(try event.value())")
            }
        }
        let body = ["switch event.output {"] + reads + ["default: nil", "}"]
        let function =
            ["public static func read(_ event: EmittedEvent) throws -> Events? {"] + SwiftWriter.indented(body) + ["}"]
        return ["/// The outputs that only happen.", "public enum Events: MachineEvents {"]
            + SwiftWriter.indented(cases + [""] + function) + ["}"]
    }
}
