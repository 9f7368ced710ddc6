import CombineCore
import JSONText
import MachineHost

/// Cells that are specialized for the value types of most outputs.
struct CompiledCells {
    // A cell for a type that is known only at run time works in the same way, but each link of its subscription then
    // stores the type's metadata, about 150 bytes per output, and each value costs metadata lookups.

    let published: @Sendable (_ property: Any, _ place: CellPlace) -> OutputCell?
    /// Creates the cell of an `AnyPublisher` or `CurrentValueSubject` of the type that cannot fail; nil for other
    /// publishers.
    let latest: @Sendable (_ publisher: Any, _ place: CellPlace) -> OutputCell?

    /// Returns the cells of a value type; nil if none are compiled for it.
    static func of(_ type: any Any.Type) -> CompiledCells? { all[ObjectIdentifier(type)] }

    private static let all: [ObjectIdentifier: CompiledCells] = [
        ObjectIdentifier(Bool.self): CompiledCells(Bool.self), ObjectIdentifier(Bool?.self): CompiledCells(Bool?.self),
        ObjectIdentifier(Int.self): CompiledCells(Int.self), ObjectIdentifier(Int?.self): CompiledCells(Int?.self),
        ObjectIdentifier(Double.self): CompiledCells(Double.self),
        ObjectIdentifier(Double?.self): CompiledCells(Double?.self),
        ObjectIdentifier(String.self): CompiledCells(String.self),
        ObjectIdentifier(String?.self): CompiledCells(String?.self),
    ]

    @inline(__always)
    private init<Value: JSONWritable & SendableMetatype>(_ type: Value.Type) {
        let writer = ValueWriter<Value> { value, json, limit in
            guard value.minimumByteCount <= limit else { throw OutputTooLarge(limit: Int(limit)) }
            try value.append(to: &json)
        }
        published = { property, place in
            guard let property = property as? Published<Value> else { return nil }
            return CurrentCell(property, changes: property.projectedValue, writer: writer, place: place)
        }
        latest = { publisher, place in
            if let publisher = publisher as? AnyPublisher<Value, Never> {
                return LatestCell(publisher, writer: writer, place: place)
            }
            if let subject = publisher as? CurrentValueSubject<Value, Never> {
                return CurrentCell(subject, changes: subject, writer: writer, place: place)
            }
            return nil
        }
    }
}
