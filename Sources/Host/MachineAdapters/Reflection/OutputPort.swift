import CombineCore
package import MachineHost

/// An output of a machine, found once at registration.
package struct OutputPort: @unchecked Sendable {
    // Sendable: the closure captures only types and numbers.
    let definition: OutputDefinition
    /// The position of the output's property.
    let source: Source
    /// Creates the cell of a session from the value of the property.
    let makeCell: (_ value: Any, _ place: CellPlace) -> OutputCell?
    /// The type of the property's value at registration.
    private let type: any Any.Type

    /// The position of a property in the machine's output.
    enum Source {
        /// The index among the stored properties.
        case position(Int)
        case keyPath((_ output: Any) -> Any?)
    }

    init(_ property: ReflectedProperty, _ shape: OutputShape, at source: Source) {
        definition = OutputDefinition(
            name: property.name, schema: shape.schema, kind: shape.kind, isAlwaysPresent: shape.isAlwaysPresent)
        self.source = source
        makeCell = shape.makeCell
        type = Swift.type(of: property.value)
    }

    /// Returns the cell of a new machine. Throws if the property differs from the registered one.
    func cell(in properties: [ReflectedProperty], at place: CellPlace) throws(ShapeChanged) -> OutputCell {
        let name = definition.name
        let value: Any? =
            switch source {
            case .position(let index):
                properties.indices.contains(index) && properties[index].name == name ? properties[index].value : nil
            case .keyPath(let read): read(place.output)
            }
        if let value, let cell = makeCell(value, place) { return cell }
        throw ShapeChanged(
            type: Swift.type(of: place.output), port: "output \"\(name)\"", expected: type,
            found: value.map { Swift.type(of: $0) })
    }

    /// Returns the shape of a stored property that is not a stream; nil if its value cannot be encoded.
    static func stored(
        _ property: ReflectedProperty, _ position: Int, isEvent: Bool, machine: String
    ) throws(MachineRegistrationError) -> OutputShape? {
        guard let value = property.value as? any Encodable, let shape = stored(value, position) else { return nil }
        guard !isEvent else {
            throw MachineRegistrationError(
                machine: machine, detail: "its output \"\(property.name)\" cannot be an event: it is not a publisher")
        }
        return shape
    }

    private static func stored<Value: Encodable>(_ value: Value, _ position: Int) -> OutputShape? {
        guard let writer = ValueWriter<Value>() else { return nil }
        return OutputShape(schema: .of(written: Value.self), kind: .value) { value, place in
            (value as? Value).map { StoredCell($0, position: position, writer: writer, place: place) }
        }
    }

    /// Returns the shape of a listed property that is not a stream. Throws if its value cannot be encoded.
    static func stored(_ listed: ListedPort, machine: String) throws(MachineRegistrationError) -> OutputShape {
        guard let shape = listed.stored else {
            throw MachineRegistrationError(
                machine: machine,
                detail:
                    "the values of its output \"\(listed.name)\", of type \(listed.type), cannot be written as JSON: "
                    + "\(listed.type) must be Encodable")
        }
        guard !listed.isEvent else {
            throw MachineRegistrationError(
                machine: machine,
                detail:
                    "its output \"\(listed.name)\" cannot be an event: its key path leads to a \(listed.type), not to "
                    + "a publisher (that of a @Published property is at \\.$name)")
        }
        return shape
    }

    /// Returns the writer of an output's values. Throws if they cannot be encoded.
    package static func writer<Value>(
        _ name: String, _ machine: String
    ) throws(MachineRegistrationError) -> ValueWriter<Value> {
        if let writer = ValueWriter<Value>() { return writer }
        throw MachineRegistrationError(
            machine: machine,
            detail: "the values of its output \"\(name)\", of type \(Value.self), cannot be written as JSON: "
                + "\(Value.self) must be Encodable")
    }
}

/// The kind, schema and cell of an output, derived from the type of its property.
package struct OutputShape {
    let schema: JSONSchema
    let kind: OutputDefinition.Kind
    /// Whether the output has a value from the beginning. A publisher without a current value may have none yet.
    let isAlwaysPresent: Bool
    let makeCell: (Any, CellPlace) -> OutputCell?

    package init(
        schema: JSONSchema, kind: OutputDefinition.Kind, isAlwaysPresent: Bool = true,
        makeCell: @escaping (Any, CellPlace) -> OutputCell?
    ) {
        self.schema = schema
        self.kind = kind
        self.isAlwaysPresent = isAlwaysPresent && kind == .value
        self.makeCell = makeCell
    }
}

extension OutputShape {
    /// Creates the shape of a `@Published` property or a publisher; nil for other properties.
    package init?(
        _ property: ReflectedProperty, _ requested: RequestedKind, machine: String
    ) throws(MachineRegistrationError) {
        if let published = property.value as? any ReflectedPublished {
            self = try Self.published(published, property.name, requested == .event, machine)
        } else if let publisher = property.value as? any Publisher {
            self = try Self.publisher(publisher, property.name, requested, machine)
        } else {
            return nil
        }
    }

    private static func published<P: ReflectedPublished>(
        _ published: P, _ name: String, _ isEvent: Bool, _ machine: String
    ) throws(MachineRegistrationError) -> OutputShape {
        let writer: ValueWriter<P.Value> = try OutputPort.writer(name, machine)
        let compiled = isEvent ? nil : CompiledCells.of(P.Value.self)
        return OutputShape(schema: .of(written: P.Value.self), kind: isEvent ? .event : .value) { value, place in
            if let cell = compiled?.published(value, place) { return cell }
            guard let property = value as? Published<P.Value> else { return nil }
            // The publisher starts with the current value, which is not an event.
            if isEvent { return EventCell(property.projectedValue.dropFirst(), writer: writer, place: place) }
            return CurrentCell(property, changes: property.projectedValue, writer: writer, place: place)
        }
    }

    private static func publisher<P: Publisher>(
        _ publisher: P, _ name: String, _ requested: RequestedKind, _ machine: String
    ) throws(MachineRegistrationError) -> OutputShape {
        let writer: ValueWriter<P.Output> = try OutputPort.writer(name, machine)
        let hasValue = publisher is any HasCurrentValue
        let isEvent =
            switch requested {
            case .event: true
            case .value: false
            case .none: publisher is any Subject && !hasValue
            }
        let compiled = isEvent ? nil : CompiledCells.of(P.Output.self)
        return OutputShape(
            schema: .of(written: P.Output.self), kind: isEvent ? .event : .value, isAlwaysPresent: hasValue
        ) { value, place in
            if let cell = compiled?.latest(value, place) { return cell }
            guard let publisher = value as? P else { return nil }
            if isEvent && hasValue { return EventCell(publisher.dropFirst(), writer: writer, place: place) }
            if isEvent { return EventCell(publisher, writer: writer, place: place) }
            if let subject = publisher as? CurrentValueSubject<P.Output, P.Failure> {
                return CurrentCell(subject, changes: subject, writer: writer, place: place)
            }
            return LatestCell(publisher, writer: writer, place: place)
        }
    }
}

/// A publisher that sends its current value to each new subscriber.
private protocol HasCurrentValue {}

extension CurrentValueSubject: HasCurrentValue {}
extension Published.Publisher: HasCurrentValue {}

extension JSONSchema {
    /// Returns the schema of a type that an output sends; null for events without a value.
    package static func of(written type: any Any.Type) -> JSONSchema {
        type == Void.self ? .null : .of(encodable: type)
    }
}
