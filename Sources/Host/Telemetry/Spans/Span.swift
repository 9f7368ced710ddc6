public import HTTPModel

/// A part of a trace that has ended: what was done, for which part of the trace, and when.
public struct Span: Hashable, Sendable {
    /// The relation of a span to the one that caused it, with its number in OTLP.
    public enum Kind: UInt64, Sendable {
        /// Work inside the server.
        case `internal` = 1
        /// A request that the server has received.
        case server = 2
        /// Work that another service does for the server.
        case client = 3
        /// Something that others receive later.
        case producer = 4
    }

    /// The value of a detail.
    public enum Value: Hashable, Sendable, ExpressibleByStringLiteral {
        /// A text.
        case text(String)
        /// A count or a size.
        case number(Int64)

        /// Creates a text from a literal.
        public init(stringLiteral value: String) { self = .text(value) }
    }

    /// A detail. It contains neither the id of a session, which is a credential, nor a value that a client has sent.
    public struct Attribute: Hashable, Sendable {
        /// The name, such as `http.route`.
        public let name: String
        /// The value.
        public let value: Value

        /// Creates a detail.
        public init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }
    }

    /// The name of the work, from a fixed set.
    public var name: String
    /// The relation to the cause.
    public var kind: Kind
    /// The trace and the span itself.
    public var context: TraceContext
    /// The span that has caused this one; nil if the trace begins with it.
    public var parentID: UInt64?
    /// The beginning, in nanoseconds of Unix time.
    public var start: UInt64
    /// The end, in nanoseconds of Unix time. Not before the beginning.
    public var end: UInt64
    /// The details.
    public var attributes: [Attribute]
    /// The reason why the work has failed; nil if it has not.
    public var failure: String?

    /// Creates a span. An end before the beginning, as after the clock was set, becomes the beginning.
    public init(
        _ name: String, _ kind: Kind, _ context: TraceContext, parentID: UInt64?, from start: UInt64, to end: UInt64,
        _ attributes: [Attribute] = [], failure: String? = nil
    ) {
        (self.name, self.kind, self.context, self.parentID) = (name, kind, context, parentID)
        (self.start, self.end) = (start, max(start, end))
        (self.attributes, self.failure) = (attributes, failure)
    }
}

/// Takes the spans of sampled requests and what they cause, from any thread, without waiting.
public protocol SpanReceiver: Sendable {
    /// The time for spans, in nanoseconds of Unix time.
    var now: UInt64 { get }

    /// Takes a span, or drops it and counts that.
    func record(_ span: Span)
}
