/// A machine whose pipelines a host can end, whoever still holds the machine: itself, if a `sink` in its `polish` captured it.
package protocol Disconnectable: AnyObject {
    /// Cancels every pipeline, for good.
    func disconnect()
}
