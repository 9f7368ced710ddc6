import MachineAdapters
import RxCore
import Unio

/// An observable with a current value.
protocol CurrentValueStream: ObservableConvertibleType, CurrentValueOutput {}

extension BehaviorRelay: CurrentValueStream {
    package var currentValue: Result<Element, any Error> { .success(value) }
}

extension BehaviorSubject: CurrentValueStream {
    package var currentValue: Result<Element, any Error> { Result { try value() } }
}

extension PrimitiveProperty: CurrentValueStream {
    package var currentValue: Result<Element, any Error> { current.mapError { $0 } }
}
