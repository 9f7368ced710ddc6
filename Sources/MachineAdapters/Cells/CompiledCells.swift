import CombineCore
import MachineHost

/// Cells for the types that most outputs have, compiled for them. A cell for a type that is only known when the program
/// runs does the same, but every link of its subscription carries that type's metadata with it: some 150 bytes an output,
/// and look-ups on the way of each value.
struct CompiledCells {
    /// Makes the cell of a `Published` of that type.
    let published: @Sendable (_ property: Any, _ place: CellPlace) -> OutputCell?
    /// Makes the cell of an `AnyPublisher` or `CurrentValueSubject` of that type that does not fail; nil for any other.
    let latest: @Sendable (_ publisher: Any, _ place: CellPlace) -> OutputCell?

    /// The cells of that type of value; nil if it is not one of those.
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
    private init<Value: DirectlyWritten & SendableMetatype>(_ type: Value.Type) {
        let writer = ValueWriter<Value> { value, json, limit in
            guard value.leastByteCount <= limit else { throw OutputTooLarge(limit: Int(limit)) }
            try value.append(to: &json)
        }
        published = { property, place in
            guard let property = property as? Published<Value> else { return nil }
            return PublishedCell(property, writer: writer, place: place)
        }
        latest = { publisher, place in
            if let publisher = publisher as? AnyPublisher<Value, Never> {
                return LatestCell(publisher, writer: writer, place: place)
            }
            if let publisher = publisher as? CurrentValueSubject<Value, Never> {
                return LatestCell(publisher, writer: writer, place: place)
            }
            return nil
        }
    }
}
