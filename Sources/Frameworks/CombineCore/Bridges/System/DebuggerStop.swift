import Glibc

/// Stops the process: a debugger halts and can continue; without one, the signal terminates the process.
@usableFromInline
func stopInDebugger() {
    raise(SIGTRAP)
}
