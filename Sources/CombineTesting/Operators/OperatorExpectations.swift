/// What an operator is expected to do, as far as operators differ in it.
///
/// The standard input is the numbers 1 to 5.
public struct OperatorExpectations: Sendable {
    /// How a stream ends.
    public enum Ending: String, Sendable {
        /// With `.finished`.
        case finished
        /// With a failure.
        case failed
    }

    /// What an operator asks of its upstream.
    public enum DemandRule: Sendable, Equatable {
        /// What downstream asks for, when it asks for it.
        case passedOn
        /// Everything, as soon as there is a subscription.
        case unlimited
        /// What downstream asks for, and so many more at once.
        case more(Int)
        /// Something else, which has tests of its own.
        case own
    }

    /// What becomes of signals that a publisher must not send.
    public enum Strictness: Sendable {
        /// The link guards against them: a second subscription is cancelled, what follows the end is dropped.
        case strict
        /// The link holds no state, hands its upstream's subscription down, and passes everything on.
        case transparent
        /// The link guards its subscription, but passes a repeated ending and what follows it on.
        case lenientAtTheEnd
    }

    /// The values that come out for the standard input, as text.
    public var outputs: [String]
    /// How the stream ends when upstream has delivered the standard input and finished.
    public var ending: Ending
    /// The values that come out when upstream delivers the standard input and then fails; nil if they are the same.
    public var outputsBeforeFailure: [String]?
    /// How the stream ends when upstream fails after the standard input.
    public var endingOfFailure: Ending
    /// How the stream ends when upstream fails without a value.
    public var endingOfFailureAtOnce: Ending
    /// The values that come out when upstream finishes without a value, or when it fails without one.
    public var outputsOfNothing: [String]
    /// The values that come out when upstream fails without a value.
    public var outputsOfFailureAtOnce: [String]
    /// How the stream ends when upstream finishes without a value.
    public var endingOfNothing: Ending
    /// What is asked of upstream.
    public var demand: DemandRule
    /// What becomes of forbidden signals.
    public var strictness: Strictness
    /// Whether the end comes, upstream being cancelled, before upstream has ended.
    public var finishesEarly: Bool
    /// Whether each value of upstream gives one value, whatever its thread and its moment.
    public var keepsEveryValue: Bool
    /// Whether values that nobody has asked for are dropped rather than left upstream or kept.
    public var dropsWithoutDemand: Bool
    /// Whether values are passed on although nobody has asked for them; Apple's `replaceEmpty` does so.
    public var exceedsDemand: Bool
    /// Whether a value that arrives from inside a delivery is kept as the latest and not delivered by itself, as Apple's
    /// `combineLatest` does.
    public var keepsReentrantValues: Bool
    /// Whether `.finished` is kept back until something is asked for; Apple's `buffer` does so.
    public var finishWaitsForDemand: Bool
    /// Whether all subscribers share one subscription to upstream.
    public var isShared: Bool
    /// Whether a request may wait for a delivery that another thread is busy with.
    public var requestsMayWait: Bool
    /// How the subscription describes itself.
    public var description: String?
    /// How the link describes itself to upstream; nil if it does as the subscription does.
    public var linkDescription: String?
    /// The labels of the mirror's children; nil where it has no mirror of its own.
    public var mirror: [String?]?
    /// The labels of the mirror that the link shows to upstream; nil if it shows what the subscription shows.
    public var linkMirror: [String?]?

    /// Makes the expectations of an operator that passes demand on, is strict, and ends when upstream does.
    public init(
        _ outputs: [String], ending: Ending = .finished, outputsBeforeFailure: [String]? = nil,
        endingOfFailure: Ending = .failed, endingOfFailureAtOnce: Ending? = nil, outputsOfNothing: [String] = [],
        outputsOfFailureAtOnce: [String] = [], endingOfNothing: Ending = .finished, demand: DemandRule = .passedOn,
        strictness: Strictness = .strict, finishesEarly: Bool = false, keepsEveryValue: Bool = false,
        dropsWithoutDemand: Bool = false, exceedsDemand: Bool = false, keepsReentrantValues: Bool = false,
        finishWaitsForDemand: Bool = false, isShared: Bool = false,
        requestsMayWait: Bool = false,
        description: String? = nil, linkDescription: String? = nil, mirror: [String?]? = nil,
        linkMirror: [String?]? = nil
    ) {
        self.outputs = outputs
        self.ending = ending
        self.outputsBeforeFailure = outputsBeforeFailure
        self.endingOfFailure = endingOfFailure
        self.endingOfFailureAtOnce = endingOfFailureAtOnce ?? endingOfFailure
        self.outputsOfNothing = outputsOfNothing
        self.outputsOfFailureAtOnce = outputsOfFailureAtOnce
        self.endingOfNothing = endingOfNothing
        self.demand = demand
        self.strictness = strictness
        self.finishesEarly = finishesEarly
        self.keepsEveryValue = keepsEveryValue
        self.dropsWithoutDemand = dropsWithoutDemand
        self.exceedsDemand = exceedsDemand
        self.keepsReentrantValues = keepsReentrantValues
        self.finishWaitsForDemand = finishWaitsForDemand
        self.isShared = isShared
        self.requestsMayWait = requestsMayWait
        self.description = description
        self.linkDescription = linkDescription
        self.mirror = mirror
        self.linkMirror = linkMirror
    }
}
