/// A stream whose subscriptions a host can end, whoever still holds the stream: its own extra, perhaps.
package protocol DisconnectableStream: AnyObject {
    /// Ends every subscription of the stream, for good, and lets go of its extra.
    func disconnect()
}
