import MachineAdapters
import RxCore
import Unio

protocol CurrentValueStream: ObservableConvertibleType, CurrentValueOutput {}

extension BehaviorRelay: CurrentValueStream {
    package func readCurrent(_ body: (Element) throws -> Void) rethrows { try body(value) }
}

extension BehaviorSubject: CurrentValueStream {
    package func readCurrent(_ body: (Element) throws -> Void) rethrows {
        if let value = try? value() { try body(value) }
    }
}

extension PrimitiveProperty: CurrentValueStream {
    package func readCurrent(_ body: (Element) throws -> Void) rethrows {
        if case .success(let value) = current { try body(value) }
    }
}
