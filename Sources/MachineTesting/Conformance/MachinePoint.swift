/// The requirements on every hosted machine, regardless of its framework. Each is a part of the contract of the HTTP
/// interface.
public enum MachinePoint: String, CaseIterable, Sendable, CustomStringConvertible {
    /// A session is created with an id, an address, version 0 and the declared outputs.
    case creation = "is made whole"
    /// The schemas are valid JSON Schema, and inputs and outputs conform to them.
    case schemas = "keeps to its schemas"
    /// The response to every input of the script contains its changes and a version, which increases by one if there
    /// are any.
    case acceptance = "answers inputs"
    /// Malformed JSON, invalid values, unknown inputs and wrong media types are refused with the right status and
    /// change nothing.
    case refusal = "refuses what does not fit"
    /// A turn is one change, the same in the response and on the stream. A batch is one turn.
    case atomicity = "changes by whole turns"
    /// Versions, entity tags and idempotency keys work as specified.
    case conditions = "honours conditions"
    /// A stream that is cut at any byte and resumed leads to the machine's outputs.
    case resumption = "resumes at every cut"
    /// A client that selects outputs receives only those.
    case filtering = "shows what is asked for"
    /// A stream that is not read is notified once, uses bounded memory and still ends in the right state.
    case slowness = "bears slow readers"
    /// Requests above a limit are refused, change nothing, and succeed when there is room again.
    case limits = "keeps within limits"
    /// Two sessions do not affect each other.
    case isolation = "keeps sessions apart"
    /// All clients learn that a session has ended, and its machine is deallocated.
    case ending = "ends and is freed"

    /// The requirement, as a phrase that follows the machine's name.
    public var description: String { rawValue }
}
