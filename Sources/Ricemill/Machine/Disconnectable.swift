/// A machine whose host can end its pipelines, even if the machine is still retained, for example by a `sink` in its
/// own `polish`.
package protocol Disconnectable: AnyObject {
    /// Cancels every pipeline permanently.
    func disconnect()
}
