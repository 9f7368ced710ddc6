import CombineCore
import MachineHost

/// An output of a machine, found once, when the machine is registered.
struct OutputPort: @unchecked Sendable {
    // Sendable because the closure captures nothing but types and numbers.
    let definition: OutputDefinition
    /// Its place among the stored properties of the machine's output.
    let position: Int
    /// Makes the cell of one session from the property's value there.
    let makeCell: (_ value: Any, _ place: CellPlace) -> OutputCell?

    init(_ name: String, _ shape: OutputShape, position: Int) {
        definition = OutputDefinition(name: name, schema: shape.schema, kind: shape.kind)
        self.position = position
        makeCell = shape.makeCell
    }

    /// The output that a stored property is; nil for a property that is none.
    init?(
        _ property: ReflectedProperty, position: Int, isEvent: Bool, machine: String
    ) throws(MachineRegistrationError) {
        let name = property.name
        let shape: OutputShape
        if let published = property.value as? any ReflectedPublished {
            shape = try Self.published(published, name, isEvent, machine)
        } else if let publisher = property.value as? any Publisher {
            shape = try Self.publisher(publisher, name, isEvent, machine)
        } else if let found = try Self.stored(property, position, isEvent: isEvent, machine: machine) {
            shape = found
        } else {
            return nil
        }
        self.init(name, shape, position: position)
    }

    private static func published<P: ReflectedPublished>(
        _ published: P, _ name: String, _ isEvent: Bool, _ machine: String
    ) throws(MachineRegistrationError) -> OutputShape {
        let writer: ValueWriter<P.Value> = try writer(name, machine)
        let compiled = isEvent ? nil : CompiledCells.of(P.Value.self)
        return OutputShape(schema: .of(written: P.Value.self), kind: isEvent ? .event : .value) { value, place in
            if let cell = compiled?.published(value, place) { return cell }
            guard let property = value as? Published<P.Value> else { return nil }
            if isEvent { return EventCell(property.projectedValue.dropFirst(), writer: writer, place: place) }
            return PublishedCell(property, writer: writer, place: place)
        }
    }

    private static func publisher<P: Publisher>(
        _ publisher: P, _ name: String, _ isEvent: Bool, _ machine: String
    ) throws(MachineRegistrationError) -> OutputShape {
        let writer: ValueWriter<P.Output> = try writer(name, machine)
        let hasValue = publisher is any HasCurrentValue
        let isEvent = isEvent || (publisher is any Subject && !hasValue)
        let compiled = isEvent ? nil : CompiledCells.of(P.Output.self)
        return OutputShape(schema: .of(written: P.Output.self), kind: isEvent ? .event : .value) { value, place in
            if let cell = compiled?.latest(value, place) { return cell }
            guard let publisher = value as? P else { return nil }
            if isEvent && hasValue { return EventCell(publisher.dropFirst(), writer: writer, place: place) }
            if isEvent { return EventCell(publisher, writer: writer, place: place) }
            return LatestCell(publisher, writer: writer, place: place)
        }
    }

    /// What a stored property is that is no stream: nil if its value cannot be written.
    static func stored(
        _ property: ReflectedProperty, _ position: Int, isEvent: Bool, machine: String
    ) throws(MachineRegistrationError) -> OutputShape? {
        guard let value = property.value as? any Encodable, let shape = stored(value, position) else { return nil }
        guard !isEvent else {
            throw MachineRegistrationError(
                machine: machine, detail: "its output \"\(property.name)\" cannot be an event: it is no publisher")
        }
        return shape
    }

    private static func stored<Value: Encodable>(_ value: Value, _ position: Int) -> OutputShape? {
        guard let writer = ValueWriter<Value>() else { return nil }
        return OutputShape(schema: .of(written: Value.self), kind: .value) { value, place in
            StoredCell(value as? Value, position: position, writer: writer, place: place)
        }
    }

    /// The writer of an output's values. Throws if they cannot be written.
    static func writer<Value>(
        _ name: String, _ machine: String
    ) throws(MachineRegistrationError) -> ValueWriter<Value> {
        if let writer = ValueWriter<Value>() { return writer }
        throw MachineRegistrationError(
            machine: machine,
            detail: "the values of its output \"\(name)\", of type \(Value.self), cannot be written as JSON: "
                + "\(Value.self) has to be Encodable")
    }
}

/// What a property's type makes of it.
struct OutputShape {
    let schema: JSONSchema
    let kind: OutputDefinition.Kind
    let makeCell: (Any, CellPlace) -> OutputCell?
}

/// A subject that hands its current value to who subscribes.
private protocol HasCurrentValue {}

extension CurrentValueSubject: HasCurrentValue {}

extension JSONSchema {
    /// The schema of a type that an output sends; null for events without a value.
    static func of(written type: any Any.Type) -> JSONSchema {
        type == Void.self ? .null : .of(encodable: type)
    }
}
