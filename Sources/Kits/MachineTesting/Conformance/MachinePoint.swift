/// The requirements on every hosted machine, regardless of its framework. Each is a part of the contract of the HTTP
/// interface.
public enum MachinePoint: String, CaseIterable, Sendable, CustomStringConvertible {
    /// A session is created with an id, an address, version 0 and the declared outputs.
    case creation = "creates complete sessions"
    /// The schemas are valid JSON Schema, and inputs and outputs conform to them.
    case schemas = "conforms to its schemas"
    /// The response to every input of the script contains its changes and a version, which increases by one if there
    /// are any.
    case acceptance = "responds to inputs"
    /// Malformed JSON, invalid values, unknown inputs and wrong media types are refused with the right status and
    /// change nothing.
    case refusal = "refuses invalid inputs"
    /// A turn is one change, the same in the response and on the stream. A batch is one turn.
    case atomicity = "publishes each turn as one change"
    /// Versions, entity tags and idempotency keys work as specified.
    case conditions = "respects conditions"
    /// A stream that is cut at any byte and resumed leads to the machine's outputs.
    case resumption = "resumes after any interruption"
    /// A client that selects outputs receives only those.
    case filtering = "sends only the selected outputs"
    /// A stream that is not read is notified once, uses bounded memory and still ends in the right state.
    case slowness = "tolerates slow readers"
    /// Requests above a limit are refused, change nothing, and succeed when there is room again.
    case limits = "respects limits"
    /// Two sessions do not affect each other.
    case isolation = "isolates sessions"
    /// All clients learn that a session has ended, and its machine is deallocated.
    case ending = "ends and is deallocated"

    /// The requirement, as a phrase that follows the machine's name.
    public var description: String { rawValue }
}
