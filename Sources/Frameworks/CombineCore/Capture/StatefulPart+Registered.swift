public import StateCapture

extension StatefulPart {
    /// Registers the part with the registry of the machine that the calling thread is wiring, if any, and returns it.
    // A function of this module, so that the files of the operators need not import the module of captures. Outside of a
    // session it costs two instructions.
    @inlinable
    @inline(__always)
    func registered() -> Self {
        if StateRegistry.isWiring { registerWhileWiring() }
        return self
    }

    /// Registers the part. Out of line, so that the names and types of parts are not in every chain of operators.
    @usableFromInline
    @inline(never)
    func registerWhileWiring() {
        StateRegistry.current?.register(self)
    }
}
