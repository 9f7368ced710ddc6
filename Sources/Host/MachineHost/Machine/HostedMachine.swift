public import StateCapture

/// The machine of one session, as the host sees it. Implemented by adapters, and confined to the session's loop.
///
/// A machine fails by throwing an error: from its factory, or when an output cannot be encoded (a number that JSON
/// cannot represent). Its session then ends with an incident; other sessions continue. A trap (`fatalError`, a failed
/// `precondition`, an index out of bounds) is not an error in Swift: it cannot be caught, and terminates the process.
/// Sessions that are not stored end with it. So validate values that clients send instead of trapping on them.
public protocol HostedMachine: AnyObject {
    /// The machine's outputs. The host encodes the changed ones at the end of each turn.
    var outputs: OutputBoard { get }

    /// Cancels all work, because the session has ended. The host ignores everything that the machine does afterwards.
    /// Called once.
    func end()

    /// Notifies the machine that it was restored. Called once, as a turn, after the machine was wired from its stored state.
    ///
    /// - Parameter interrupted: The work that was in progress and does not continue by itself.
    func resumed(_ interrupted: [InterruptedWork])
}

extension HostedMachine {
    /// Does nothing.
    public func resumed(_ interrupted: [InterruptedWork]) {}
}
