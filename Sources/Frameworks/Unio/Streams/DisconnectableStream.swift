/// A stream whose host can end its subscriptions, even if the stream is still retained, for example by its own extra.
package protocol DisconnectableStream: AnyObject {
    /// Ends every subscription of the stream permanently and releases its extra.
    func disconnect()
}
