public import CombineCore
import JSONText
import MachineHost

/// An output of an observable class, by name and key path.
///
/// ```swift
/// [.value("count", \.count), .list("rows", \.rows, [.value("text", \.text)])]
/// ```
///
/// A key path to a private property does not compile outside of its file. One to a property that is isolated to the main actor
/// compiles in code that is isolated to it, too.
public struct ObservableOutput<Root: AnyObject>: @unchecked Sendable {
    // Sendable: the closures capture key paths, which have no mutable state.
    typealias Write = (Root, inout [UInt8], Int32, ObservedChildren) throws -> Void

    let name: String
    let schema: JSONSchema
    let kind: OutputDefinition.Kind
    /// The type of the values if they cannot be written as JSON.
    let unwritable: (any Any.Type)?
    let makeCell: (Root, CellPlace) -> OutputCell
    fileprivate let write: Write

    private init(_ name: String, _ schema: JSONSchema, _ write: @escaping Write) {
        self.name = name
        self.schema = schema
        kind = .value
        unwritable = nil
        self.write = write
        makeCell = { ObservableCell($0, write: write, place: $1) }
    }

    /// Lists a property. It is encoded at the end of a turn that changed what it depends on.
    ///
    /// - Parameters:
    ///   - name: The name that clients see; unique in the list.
    ///   - keyPath: The property, stored or computed.
    public static func value<Value: Encodable>(_ name: String, _ keyPath: KeyPath<Root, Value>) -> ObservableOutput {
        let writer = ValueWriter<Value>.encoding
        return ObservableOutput(name, .of(written: Value.self)) { root, json, limit, _ in
            try writer.append(root[keyPath: keyPath], &json, limit: limit)
        }
    }

    /// Lists a property with an observable object, of which clients see members: `{"name":"Ada","isOnline":true}`.
    ///
    /// - Parameters:
    ///   - name: The name that clients see.
    ///   - keyPath: The property.
    ///   - members: The members of the object, by name and key path.
    public static func object<Child: AnyObject>(
        _ name: String, _ keyPath: KeyPath<Root, Child>, _ members: [ObservableOutput<Child>]
    ) -> ObservableOutput {
        let writer = ObservableMembers(members)
        return ObservableOutput(name, writer.schema) { root, json, limit, children in
            try writer.append(root[keyPath: keyPath], &json, limit, children)
        }
    }

    /// Lists a property with an observable object or nil, which is `null`.
    public static func object<Child: AnyObject>(
        _ name: String, _ keyPath: KeyPath<Root, Child?>, _ members: [ObservableOutput<Child>]
    ) -> ObservableOutput {
        let writer = ObservableMembers(members)
        return ObservableOutput(name, .optional(writer.schema)) { root, json, limit, children in
            guard let child = root[keyPath: keyPath] else { return json.append(contentsOf: "null".utf8) }
            try writer.append(child, &json, limit, children)
        }
    }

    /// Lists a property with an array of observable objects.
    public static func list<Child: AnyObject>(
        _ name: String, _ keyPath: KeyPath<Root, [Child]>, _ members: [ObservableOutput<Child>]
    ) -> ObservableOutput {
        let writer = ObservableMembers(members)
        return ObservableOutput(name, .array(writer.schema)) { root, json, limit, children in
            json.append(UInt8(ascii: "["))
            for (index, child) in root[keyPath: keyPath].enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                try writer.append(child, &json, limit, children)
            }
            json.append(UInt8(ascii: "]"))
        }
    }

    /// Lists a property with a dictionary of observable objects, ordered by key.
    public static func dictionary<Child: AnyObject>(
        _ name: String, _ keyPath: KeyPath<Root, [String: Child]>, _ members: [ObservableOutput<Child>]
    ) -> ObservableOutput {
        let writer = ObservableMembers(members)
        return ObservableOutput(name, .dictionary(writer.schema)) { root, json, limit, children in
            json.append(UInt8(ascii: "{"))
            // In a fixed order, so that an unchanged dictionary has the same text.
            let entries = root[keyPath: keyPath].sorted { $0.key < $1.key }
            for (index, entry) in entries.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                JSONWriter.append(entry.key, to: &json)
                json.append(UInt8(ascii: ":"))
                try writer.append(entry.value, &json, limit, children)
            }
            json.append(UInt8(ascii: "}"))
        }
    }

    /// Lists a publisher whose values are events: clients receive each value, and there is no current value.
    public static func event<Source: Publisher>(
        _ name: String, _ keyPath: KeyPath<Root, Source>
    ) -> ObservableOutput {
        ObservableOutput(event: name, keyPath)
    }

    private init<Source: Publisher>(event name: String, _ keyPath: KeyPath<Root, Source>) {
        self.name = name
        schema = .of(written: Source.Output.self)
        kind = .event
        let writer = ValueWriter<Source.Output>()
        unwritable = writer == nil ? Source.Output.self : nil
        write = { _, _, _, _ in }
        makeCell = { root, place in
            // The registration has refused a type without a writer.
            let writer = writer ?? ValueWriter { _, _, _ in }
            return EventCell(root[keyPath: keyPath], writer: writer, place: place)
        }
    }
}

/// The members of an observable object that an output shows.
struct ObservableMembers<Root: AnyObject> {
    let schema: JSONSchema
    private let members: [(head: [UInt8], write: ObservableOutput<Root>.Write)]
    private let publishesChanges = Root.self is any ObservableObject.Type

    init(_ outputs: [ObservableOutput<Root>]) {
        let values = outputs.filter { $0.kind == .value }
        schema = .object(values.map { JSONSchema.Member(name: $0.name, schema: $0.schema, isRequired: true) })
        members = values.enumerated().map { index, output in
            (Array("\(index == 0 ? "" : ",")\(JSONWriter.quoted(output.name)):".utf8), output.write)
        }
    }

    func append(_ object: Root, _ json: inout [UInt8], _ limit: Int32, _ children: ObservedChildren) throws {
        if publishesChanges { children.note(object) }
        json.append(UInt8(ascii: "{"))
        for member in members {
            json.append(contentsOf: member.head)
            try member.write(object, &json, limit, children)
        }
        json.append(UInt8(ascii: "}"))
    }
}

extension ValueWriter where Value: Encodable {
    static var encoding: ValueWriter {
        guard let writer = ValueWriter() else { preconditionFailure("expected a writer of \(Value.self)") }
        return writer
    }
}
