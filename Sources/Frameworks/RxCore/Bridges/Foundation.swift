public import Foundation

extension RxError: LocalizedError {
    /// RxSwift's description of the error.
    public var errorDescription: String? { debugDescription }
}

extension NSObject: ReactiveCompatible {}
