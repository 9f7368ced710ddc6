/// An error that refuses an input. The client receives a 409 with the reason, or a 422 if its value is the reason.
public struct InputRefusal: Error, Equatable, Sendable {
    /// The cause of a refusal.
    public enum Kind: Sendable {
        /// The state that the input targets does not exist, such as a row that was removed.
        case missingState
        /// The machine, by ``SessionContext/refuse(_:)``: a move of a player whose turn it is not.
        case machine
        /// The value of the input, which has the right type, but which the machine rejects. The client receives a 422.
        case invalidValue
    }

    /// The reason, for clients: a clause without a full stop, such as `"item" has no element with id 7`.
    public var reason: String
    /// The cause of the refusal.
    public var kind: Kind

    /// Creates a refusal.
    public init(reason: String, kind: Kind = .missingState) {
        self.reason = reason
        self.kind = kind
    }
}

extension SessionContext {
    /// Refuses the input that the machine is running: its client receives a 409 with the reason.
    ///
    /// Call it synchronously, and before the input has changed anything, because changes stay. In a batch, the inputs before the
    /// refused one stay in effect, and those after it are not run. Of several calls for one input, the first counts. Elsewhere,
    /// for example in the turn of a timer, the call has no effect.
    ///
    /// The reason is for whoever has sent the input, whatever outputs its view contains.
    ///
    /// - Parameter reason: A clause without a full stop: `it is the turn of player O`.
    public func refuse(_ reason: String) {
        guard isRunningInput, refusal == nil else { return }
        refusal = InputRefusal(reason: reason, kind: .machine)
    }
}

extension PreparedInput {
    /// Sends the input to a machine, which may refuse it by its context.
    func run(on machine: any HostedMachine, in context: SessionContext) throws(InputRefusal) {
        assert(!context.isRunningInput, "expected the inputs of a session one after another")
        context.isRunningInput = true
        defer {
            context.isRunningInput = false
            // Also if the input throws: otherwise the next one would be refused.
            context.refusal = nil
        }
        try run(machine)
        if let refusal = context.refusal { throw refusal }
    }
}
