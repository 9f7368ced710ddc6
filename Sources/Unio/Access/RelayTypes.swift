public import RxCore

/// A relay, as what can be sent to: it takes elements and nothing else.
public protocol AcceptableRelay<Element>: ObservableType {
    /// Takes the element and tells everybody who is subscribed.
    func accept(_ event: Element)
}

/// A relay that keeps nothing.
public protocol PublishRelayType: AcceptableRelay {}

/// A relay that keeps its last element.
public protocol BehaviorRelayType: AcceptableRelay, ValueAccessible {}

/// A subject that keeps its last element.
public protocol BehaviorSubjectType: SubjectType, ObserverType, ThrowableValueAccessible {}

extension PublishRelay: PublishRelayType {}

extension BehaviorRelay: BehaviorRelayType {}

extension ReplayRelay: AcceptableRelay {}

extension BehaviorSubject: BehaviorSubjectType {
    /// The element that it was told last; throws once it has failed or was disposed of.
    public func throwableValue() throws -> Element {
        try value()
    }
}
