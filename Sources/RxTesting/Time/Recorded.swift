public import RxCore

/// A moment or a length of time on a ``TestScheduler``'s clock, in ticks.
public typealias TestTime = Int

/// A value with the time at which it was seen, or is to be sent.
public struct Recorded<Value> {
    /// When.
    public let time: TestTime
    /// What.
    public let value: Value

    /// A value and its time.
    public init(time: TestTime, value: Value) {
        self.time = time
        self.value = value
    }
}

extension Recorded: Equatable where Value: Equatable {}

extension Recorded: Sendable where Value: Sendable {}

extension Recorded: CustomDebugStringConvertible {
    /// As it reads in a failed expectation: `next(1) @ 210`.
    public var debugDescription: String { "\(value) @ \(time)" }
}

extension Recorded {
    /// An element at that time.
    public static func next<Element>(_ time: TestTime, _ element: Element) -> Recorded<Event<Element>>
    where Value == Event<Element> {
        Recorded(time: time, value: .next(element))
    }

    /// The end at that time.
    public static func completed<Element>(_ time: TestTime, _ type: Element.Type = Element.self)
        -> Recorded<Event<Element>> where Value == Event<Element>
    {
        Recorded(time: time, value: .completed)
    }

    /// A failure at that time.
    public static func error<Element>(_ time: TestTime, _ error: any Error, _ type: Element.Type = Element.self)
        -> Recorded<Event<Element>> where Value == Event<Element>
    {
        Recorded(time: time, value: .error(error))
    }
}
