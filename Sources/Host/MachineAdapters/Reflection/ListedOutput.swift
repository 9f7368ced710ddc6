package import MachineHost

/// An output that a registration lists, by name and key path. A machine with listed outputs has these and no others.
///
/// The key path starts at the machine's `Output` (Ricemill, Unio) or its `State` (the Composable Architecture). It may
/// lead to any property that reflection would find as an output, to a computed property, or through optionals
/// (`\.user?.name`, which is `null` without a user). A key path to a private property does not compile outside of its
/// file, so a list keeps private properties private. A subscript that traps ends the process: write `\.rows.first`
/// instead of `\.rows[0]`.
public struct ListedOutput<Root>: Sendable {
    package let name: String
    package let isEvent: Bool
    package let type: any Any.Type
    package let schema: JSONSchema
    /// Returns the value at the key path.
    let read: @Sendable (Root) -> Any
    /// Encodes the value at the key path; nil if it is not `Encodable`.
    package let write: (@Sendable (_ root: Root, _ json: inout [UInt8], _ limit: Int32) throws -> Void)?

    /// Lists an output with a current value, which snapshots contain.
    ///
    /// A publisher shows its latest value. The cheapest key path to a `@Published` property leads to its publisher
    /// (`\.$count`). Any other `Encodable` value is read and encoded at the end of every turn.
    ///
    /// - Parameters:
    ///   - name: The name that clients see; unique in the list.
    ///   - keyPath: The property.
    public static func value<Value>(_ name: String, _ keyPath: any KeyPath<Root, Value> & Sendable) -> ListedOutput {
        ListedOutput(name, keyPath, isEvent: false)
    }

    /// Lists an output that emits events: clients receive each value, and there is no current value. The key path must
    /// lead to a publisher: a subject, or `\.$failed` of a `@Published` property.
    ///
    /// - Parameters:
    ///   - name: The name that clients see; unique in the list.
    ///   - keyPath: The property.
    public static func event<Value>(_ name: String, _ keyPath: any KeyPath<Root, Value> & Sendable) -> ListedOutput {
        ListedOutput(name, keyPath, isEvent: true)
    }

    private init<Value>(_ name: String, _ keyPath: any KeyPath<Root, Value> & Sendable, isEvent: Bool) {
        self.name = name
        self.isEvent = isEvent
        type = Value.self
        read = { $0[keyPath: keyPath] }
        if let writer = ValueWriter<Value>() {
            schema = .of(written: Value.self)
            write = { root, json, limit in try writer.append(root[keyPath: keyPath], &json, limit: limit) }
        } else {
            schema = .any
            write = nil
        }
    }
}

/// A listed output with an erased root type.
package struct ListedPort {
    let name: String
    let isEvent: Bool
    let type: any Any.Type
    /// Returns the value at the key path.
    let read: (_ output: Any) -> Any?
    /// The shape of the output if it is not a stream; nil if it is not `Encodable`.
    let stored: OutputShape?

    package init<Root>(_ listed: ListedOutput<Root>) {
        name = listed.name
        isEvent = listed.isEvent
        type = listed.type
        read = { output in (output as? Root).map(listed.read) }
        stored = listed.write.map { write in
            OutputShape(schema: listed.schema, kind: .value) { _, place in
                (place.output as? Root).map { KeyPathCell($0, write: write, place: place) }
            }
        }
    }
}
