/// Thrown when a value needs more bytes of JSON than its limit.
package struct JSONSizeExceeded: Error, Equatable {
    /// The limit in bytes.
    package let limit: Int
}
