/// What every hosted machine is held to, whatever framework it is written with: each point is a part of the HTTP interface's
/// contract.
public enum MachinePoint: String, CaseIterable, Sendable, CustomStringConvertible {
    /// A session is made with its id, its address, version 0 and outputs that the machine declares.
    case creation = "is made whole"
    /// The schemas are JSON Schema, and what is sent and shown is what they say.
    case schemas = "keeps to its schemas"
    /// Every input of the script is answered with its changes, at a version that rises by one where there are any.
    case acceptance = "answers inputs"
    /// What is no JSON, no value, no input or no media type is refused by its status, and changes nothing.
    case refusal = "refuses what does not fit"
    /// A turn is one change, the same in the answer and on the stream; a batch is one turn.
    case atomicity = "changes by whole turns"
    /// Versions, entity tags and keys mean what they say.
    case conditions = "honours conditions"
    /// A stream that is cut at any byte and resumed shows what the machine shows.
    case resumption = "resumes at every cut"
    /// A client that asks for some outputs gets those.
    case filtering = "shows what is asked for"
    /// A stream that reads nothing is not told again and again, costs a bounded history and ends right.
    case slowness = "bears slow readers"
    /// What is over a limit is refused, changes nothing, and is let in again when there is room.
    case limits = "keeps within limits"
    /// Two sessions do not meet.
    case isolation = "keeps sessions apart"
    /// A session that was ended says so to everyone, and its machine is gone.
    case ending = "ends and is freed"

    /// The point in words that follow the machine's name.
    public var description: String { rawValue }
}
