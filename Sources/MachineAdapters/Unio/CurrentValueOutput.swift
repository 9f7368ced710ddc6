import RxCore
import Unio

/// A stream with a current value that can be read at any time.
protocol CurrentValueOutput<Element>: ObservableConvertibleType {
    /// The value, or the error with which the stream has failed.
    var currentValue: Result<Element, any Error> { get }
}

extension BehaviorRelay: CurrentValueOutput {
    var currentValue: Result<Element, any Error> { .success(value) }
}

extension BehaviorSubject: CurrentValueOutput {
    var currentValue: Result<Element, any Error> { Result { try value() } }
}

extension PrimitiveProperty: CurrentValueOutput {
    var currentValue: Result<Element, any Error> { current.mapError { $0 } }
}
