import HTTPModel

extension EventLoop {
    /// Stops a debug build if the caller is not on this loop.
    ///
    /// Called first where another thread could enter what is confined to the loop. Not called where what ends with a server may be
    /// entered after its loop: in a `deinit`, and in what closes streams and sessions.
    @inline(__always)
    func assertCurrent(_ function: StaticString = #function) {
        assert(isCurrent, "expected \(function) to be called on loop \(index)")
    }
}
