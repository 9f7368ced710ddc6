/// The machine of one session, as the host sees it. Confined to the session's loop; made by an adapter.
///
/// A machine fails by an error: one that its factory throws, or one that is thrown when an output is written (a number that
/// JSON does not have). Its session then ends with an incident, and the others go on. A trap (`fatalError`, a failed
/// `precondition`, an index out of bounds) is not an error in Swift: nothing can catch it, and it ends the process with all
/// its sessions. What depends on a value that a client sends is to be checked, not trapped on.
public protocol HostedMachine: AnyObject {
    /// What the machine shows. The host reads it at the end of each turn.
    var outputs: OutputBoard { get }

    /// The session has ended: cancel everything, now. Nothing that the machine does afterwards is looked at. Called once.
    func end()
}
