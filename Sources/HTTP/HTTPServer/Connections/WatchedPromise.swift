import HTTPModel
import Locking

/// A promise that has to know when its client leaves. Used on the loop of the client's connection.
struct WatchedPromise {
    private let promise: DeferredResponse
    private let responding: ServerLoop

    /// - Parameter responding: The loop of the responder, to which the promise is confined.
    init(_ promise: DeferredResponse, of responding: ServerLoop) {
        (self.promise, self.responding) = (promise, responding)
    }

    /// Reports that the client has left.
    func clientLeft() {
        if responding.loop.isCurrent { return promise.clientLeft() }
        let carried = UnsafeTransfer(promise)
        responding.loop.execute { carried.value.clientLeft() }
    }
}
