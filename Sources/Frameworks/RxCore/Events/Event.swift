/// An event of an observable: an element, an error or a completion.
@frozen
public enum Event<Element> {
    /// The next element.
    case next(Element)
    /// The observable failed. No event follows.
    case error(any Error)
    /// The observable completed. No event follows.
    case completed
}

extension Event: Sendable where Element: Sendable {}

extension Event {
    /// Whether the event terminates the observable.
    @inlinable public var isStopEvent: Bool {
        switch self {
        case .next: false
        case .error, .completed: true
        }
    }

    /// The element, or nil if the event has none.
    @inlinable public var element: Element? {
        if case .next(let element) = self { element } else { nil }
    }

    /// The error, or nil if the event is not an error.
    public var error: (any Error)? {
        if case .error(let error) = self { error } else { nil }
    }

    /// Whether the event is a completion.
    public var isCompleted: Bool {
        if case .completed = self { true } else { false }
    }

    /// Returns the event with its element transformed, or an error event if `transform` throws.
    @inlinable
    public func map<Result>(_ transform: (Element) throws -> Result) -> Event<Result> {
        switch self {
        case .next(let element):
            do {
                return .next(try transform(element))
            } catch {
                return .error(error)
            }
        case .error(let error): return .error(error)
        case .completed: return .completed
        }
    }
}

extension Event: CustomDebugStringConvertible {
    /// A description for logs: `next(1)`, `error(offline)` or `completed`.
    public var debugDescription: String {
        switch self {
        case .next(let element): "next(\(element))"
        case .error(let error): "error(\(error))"
        case .completed: "completed"
        }
    }
}

extension Event: Equatable where Element: Equatable {
    /// Returns whether two events are equal. Errors are compared by their debug descriptions because they need not be
    /// `Equatable`.
    public static func == (lhs: Event, rhs: Event) -> Bool {
        switch (lhs, rhs) {
        case (.next(let left), .next(let right)): left == right
        case (.error(let left), .error(let right)): String(reflecting: left) == String(reflecting: right)
        case (.completed, .completed): true
        default: false
        }
    }
}

/// A value that can be converted to an event, so that a stream of such values can be dematerialized.
public protocol EventConvertible {
    /// The type of the event's element.
    associatedtype Element

    /// The value as an event.
    var event: Event<Element> { get }
}

extension Event: EventConvertible {
    /// The event itself.
    public var event: Event<Element> { self }
}
