public import RxCore

/// A relay that can be sent to. It accepts only elements.
public protocol AcceptableRelay<Element>: ObservableType {
    /// Sends the element to all observers.
    func accept(_ event: Element)
}

/// A relay that keeps no element.
public protocol PublishRelayType: AcceptableRelay {}

/// A relay that keeps its latest element.
public protocol BehaviorRelayType: AcceptableRelay, ValueAccessible {}

/// A subject that keeps its latest element.
public protocol BehaviorSubjectType: SubjectType, ObserverType, ThrowableValueAccessible {}

extension PublishRelay: PublishRelayType {}

extension BehaviorRelay: BehaviorRelayType {}

extension ReplayRelay: AcceptableRelay {}

extension BehaviorSubject: BehaviorSubjectType {
    /// Returns the latest element.
    ///
    /// - Throws: An error if the subject failed or was disposed of.
    public func throwableValue() throws -> Element {
        try value()
    }
}
