import MachineAdapters
import MachineHost
import RxCore
import Unio

extension InputPort {
    /// Creates the input for a stored property of a stream's input: a relay, a subject or another observer; nil for
    /// other properties. Only elements are sent to it.
    init?(
        unio property: ReflectedProperty, position: Int, index: Int, machine: String
    ) throws(MachineRegistrationError) {
        let name = property.name
        if let relay = property.value as? any AcceptableRelay {
            self.init(try Self.relay(relay, name, index, machine), named: name, position: position)
        } else if let observer = property.value as? any ObserverType {
            self.init(try Self.observer(observer, name, index, machine), named: name, position: position)
        } else {
            return nil
        }
    }

    private static func relay<R: AcceptableRelay>(
        _ relay: R, _ name: String, _ index: Int, _ machine: String
    ) throws(MachineRegistrationError) -> (InputDefinition, any Any.Type) {
        try definition(name, index, machine) { (value: R.Element, port: R) in port.accept(value) }
    }

    private static func observer<O: ObserverType>(
        _ observer: O, _ name: String, _ index: Int, _ machine: String
    ) throws(MachineRegistrationError) -> (InputDefinition, any Any.Type) {
        try definition(name, index, machine) { (value: O.Element, port: O) in port.onNext(value) }
    }
}
