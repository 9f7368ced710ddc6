import MachineHost

/// An output that a registration lists, by name and key path. A machine whose registration lists outputs shows these and no
/// others.
///
/// The key path starts at the machine's `Output` (Ricemill, Unio) or its `State` (the Composable Architecture). It may lead
/// to anything that would be an output by itself, to a computed property, or through optionals (`\.user?.name`, which is
/// `null` while there is no user). A key path to a private property does not compile outside of its file, so a list is the
/// way to keep private what a store keeps. A subscript that traps ends the process: `\.rows.first`, not `\.rows[0]`.
public struct ListedOutput<Root>: Sendable {
    let name: String
    let isEvent: Bool
    let type: any Any.Type
    let schema: JSONSchema
    /// What the key path leads to.
    let read: @Sendable (Root) -> Any
    /// Writes what the key path leads to; nil if it is not `Encodable`.
    let write: (@Sendable (_ root: Root, _ json: inout [UInt8], _ limit: Int32) throws -> Void)?

    /// An output that has a value, and is in every snapshot once it has one.
    ///
    /// A publisher shows what it sent last: the cheapest key path to a `@Published` property leads to its publisher
    /// (`\.$count`). Anything else that is `Encodable` is read and written again at the end of every turn.
    ///
    /// - Parameters:
    ///   - name: The name that clients see; unique in the list.
    ///   - keyPath: The property.
    public static func value<Value>(_ name: String, _ keyPath: any KeyPath<Root, Value> & Sendable) -> ListedOutput {
        ListedOutput(name, keyPath, isEvent: false)
    }

    /// An output that only happens: clients get each value that is sent, and never a current one. The key path leads to a
    /// publisher: a subject, or `\.$failed` of a `@Published` property.
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

/// A listed output whose root is known when it is read.
struct ListedPort {
    let name: String
    let isEvent: Bool
    let type: any Any.Type
    /// What the key path leads to.
    let read: (_ output: Any) -> Any?
    /// Of a property that is written as it is read: nil if it is not `Encodable`.
    let stored: OutputShape?

    init<Root>(_ listed: ListedOutput<Root>) {
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
