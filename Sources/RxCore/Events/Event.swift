/// What a stream says: another element, or that it has ended.
@frozen
public enum Event<Element> {
    /// The next element.
    case next(Element)
    /// The stream has ended with a failure; nothing follows.
    case error(any Error)
    /// The stream has ended well; nothing follows.
    case completed
}

extension Event: Sendable where Element: Sendable {}

extension Event {
    /// Whether nothing can follow this event.
    @inlinable public var isStopEvent: Bool {
        switch self {
        case .next: false
        case .error, .completed: true
        }
    }

    /// The element, if the event brings one.
    @inlinable public var element: Element? {
        if case .next(let element) = self { element } else { nil }
    }

    /// The error, if the stream has failed.
    public var error: (any Error)? {
        if case .error(let error) = self { error } else { nil }
    }

    /// Whether the stream has ended well.
    public var isCompleted: Bool {
        if case .completed = self { true } else { false }
    }

    /// The same event with the element that `transform` makes; an error if it throws.
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
    /// The event as it reads in a log: `next(1)`, `error(offline)`, `completed`.
    public var debugDescription: String {
        switch self {
        case .next(let element): "next(\(element))"
        case .error(let error): "error(\(error))"
        case .completed: "completed"
        }
    }
}

extension Event: Equatable where Element: Equatable {
    /// Whether both events say the same; errors are compared by what they print, since they need not be `Equatable`.
    public static func == (lhs: Event, rhs: Event) -> Bool {
        switch (lhs, rhs) {
        case (.next(let left), .next(let right)): left == right
        case (.error(let left), .error(let right)): String(reflecting: left) == String(reflecting: right)
        case (.completed, .completed): true
        default: false
        }
    }
}

/// A value that stands for an event, so that a stream of such values can be turned back into what it tells of.
public protocol EventConvertible {
    /// What the event's elements are.
    associatedtype Element

    /// The event.
    var event: Event<Element> { get }
}

extension Event: EventConvertible {
    /// The event itself.
    public var event: Event<Element> { self }
}
