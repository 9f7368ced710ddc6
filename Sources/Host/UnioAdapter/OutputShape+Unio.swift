import CombineCore
import MachineAdapters
import MachineHost
import RxCore
import Unio

extension OutputShape {
    /// Creates the shape of a stream or computed value; nil for other properties.
    init?(unio property: ReflectedProperty, _ requested: RequestedKind, machine: String)
        throws(MachineRegistrationError)
    {
        let name = property.name
        if let output = property.value as? any CurrentValueStream {
            self = try Self.current(output, name, isEvent: requested == .event, machine)
        } else if let stream = property.value as? any ObservableConvertibleType {
            self = try Self.stream(stream, name, requested, machine)
        } else if let computed = property.value as? any ComputedOutput {
            guard requested != .event else {
                throw MachineRegistrationError(
                    machine: machine,
                    detail: "its output \"\(name)\" cannot be an event: it is a computed value, not a stream"
                )
            }
            self = try Self.computed(computed, name, machine)
        } else {
            return nil
        }
    }

    private static func current<O: CurrentValueStream>(
        _ output: O, _ name: String, isEvent: Bool, _ machine: String
    ) throws(MachineRegistrationError) -> OutputShape {
        let writer: ValueWriter<O.Element> = try OutputPort.writer(name, machine)
        return OutputShape(schema: .of(written: O.Element.self), kind: isEvent ? .event : .value) { value, place in
            guard let output = value as? O else { return nil }
            let publisher = output.asObservable().publisher
            if isEvent { return EventCell(publisher.dropFirst(), writer: writer, place: place) }
            return CurrentCell(output, changes: publisher, writer: writer, place: place)
        }
    }

    private static func stream<O: ObservableConvertibleType>(
        _ stream: O, _ name: String, _ requested: RequestedKind, _ machine: String
    ) throws(MachineRegistrationError) -> OutputShape {
        let writer: ValueWriter<O.Element> = try OutputPort.writer(name, machine)
        let isEvent =
            switch requested {
            case .event: true
            case .value: false
            case .none: !sendsOnSubscription(stream)
            }
        return OutputShape(
            schema: .of(written: O.Element.self), kind: isEvent ? .event : .value, isAlwaysPresent: false
        ) { value, place in
            guard let publisher = (value as? O)?.asObservable().publisher else { return nil }
            if isEvent { return EventCell(publisher, writer: writer, place: place) }
            return LatestCell(publisher, writer: writer, place: place)
        }
    }

    /// Returns whether a stream sends an element on subscription, as one derived from a behavior relay does.
    private static func sendsOnSubscription<O: ObservableConvertibleType>(_ stream: O) -> Bool {
        var hasElement = false
        stream.asObservable().take(1).subscribe(onNext: { _ in hasElement = true }).dispose()
        return hasElement
    }

    private static func computed<C: ComputedOutput>(
        _ computed: C, _ name: String, _ machine: String
    ) throws(MachineRegistrationError) -> OutputShape {
        let writer: ValueWriter<C.Value> = try OutputPort.writer(name, machine)
        return OutputShape(schema: .of(written: C.Value.self), kind: .value) { value, place in
            (value as? Computed<C.Value>).map { ComputedCell($0, writer: writer, place: place) }
        }
    }
}

/// A computed value found by reflection.
private protocol ComputedOutput {
    associatedtype Value
}

extension Computed: ComputedOutput {
    typealias Value = Element
}
