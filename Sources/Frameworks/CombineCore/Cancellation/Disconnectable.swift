/// An object with pipelines that its owner can end, even if the object is still retained, for example by a `sink` of its
/// own.
package protocol Disconnectable: AnyObject {
    /// Cancels every pipeline permanently.
    func disconnect()
}
