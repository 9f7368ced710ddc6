import Glibc

/// Stops the process where it stands: in the debugger if there is one, which can go on; else by the signal.
@usableFromInline
func stopInDebugger() {
    raise(SIGTRAP)
}
