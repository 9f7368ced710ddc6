/// The expected behaviour of an operator, as far as operators differ.
///
/// The standard input is the numbers 1 to 5.
public struct OperatorExpectations: Sendable {
    /// The way a stream ends.
    public enum Ending: String, Sendable {
        /// With `.finished`.
        case finished
        /// With a failure.
        case failed
    }

    /// The rule by which an operator requests values from its upstream.
    public enum DemandRule: Sendable, Equatable {
        /// The demand of downstream, forwarded unchanged.
        case passedOn
        /// Unlimited, as soon as there is a subscription.
        case unlimited
        /// The demand of downstream plus a constant.
        case more(Int)
        /// Another rule, which has its own tests.
        case own
    }

    /// The treatment of events that violate the rules of Combine.
    public enum Strictness: Sendable {
        /// The operator guards against them: it cancels a second subscription and drops events after the end.
        case strict
        /// The operator holds no state, forwards the subscription of its upstream, and forwards all events.
        case transparent
        /// The operator guards its subscription, but forwards a repeated completion and events after it.
        case lenientAtTheEnd
    }

    /// The outputs for the standard input, as text.
    public var outputs: [String]
    /// The outputs when downstream requests one value at a time. Nil if they equal ``outputs``.
    public var outputsOneByOne: [String]?
    /// The ending when upstream delivers the standard input and finishes.
    public var ending: Ending
    /// The outputs when upstream delivers the standard input and fails. Nil if they equal ``outputs``.
    public var outputsBeforeFailure: [String]?
    /// The ending when upstream fails after the standard input.
    public var endingOfFailure: Ending
    /// The ending when upstream fails without a value.
    public var endingOfFailureAtOnce: Ending
    /// The outputs when upstream finishes without a value.
    public var outputsOfNothing: [String]
    /// The outputs when upstream fails without a value.
    public var outputsOfFailureAtOnce: [String]
    /// The ending when upstream finishes without a value.
    public var endingOfNothing: Ending
    /// The rule for demand.
    public var demand: DemandRule
    /// The treatment of forbidden events.
    public var strictness: Strictness
    /// Whether the operator cancels upstream and finishes before upstream has ended.
    public var finishesEarly: Bool
    /// Whether each value of upstream produces one value, regardless of its thread and time.
    public var keepsEveryValue: Bool
    /// Whether values without demand are dropped, rather than buffered or left upstream.
    public var dropsWithoutDemand: Bool
    /// Whether values are forwarded without demand, as Apple's `replaceEmpty` does.
    public var exceedsDemand: Bool
    /// Whether a value that arrives during a delivery is stored as the latest value without being delivered itself, as
    /// Apple's `combineLatest` does.
    public var keepsReentrantValues: Bool
    /// Whether `.finished` is delayed until there is demand, as Apple's `buffer` does.
    public var finishWaitsForDemand: Bool
    /// Whether all subscribers share one subscription to upstream.
    public var isShared: Bool
    /// Whether a request may block while another thread delivers.
    public var requestsMayWait: Bool
    /// The description of the subscription.
    public var description: String?
    /// The description of the subscriber that upstream sees. Nil if it equals ``description``.
    public var linkDescription: String?
    /// The labels of the mirror's children. Nil if the operator has no custom mirror.
    public var mirror: [String?]?
    /// The labels of the mirror that upstream sees. Nil if they equal ``mirror``.
    public var linkMirror: [String?]?

    /// Creates the expectations of an operator that forwards demand, is strict, and ends with its upstream.
    public init(
        _ outputs: [String], oneByOne: [String]? = nil, ending: Ending = .finished,
        outputsBeforeFailure: [String]? = nil,
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
        outputsOneByOne = oneByOne
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
