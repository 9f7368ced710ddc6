/// The machine of one session, as the host sees it. Confined to the session's loop; made by an adapter.
public protocol HostedMachine: AnyObject {
    /// What the machine shows. The host reads it at the end of each turn.
    var outputs: OutputBoard { get }

    /// The session has ended: cancel everything, now. Nothing that the machine does afterwards is looked at. Called once.
    func end()
}
