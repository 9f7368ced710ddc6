import CLibFuzzer
import Glibc

/// The interface to libFuzzer, which generates inputs and tracks the code that they reach.
public enum Fuzzer {
    /// Checks one input. It is called repeatedly in one process, so no state may remain from earlier calls.
    public typealias Check = @convention(c) (_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt

    /// Runs until the limit on the command line is reached or a check fails, and ends the process.
    public static func run(_ check: Check) -> Never {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments, check))
    }

    /// Ends the process with a finding. libFuzzer saves the current input.
    public static func found(_ message: @autoclosure () -> String) -> Never {
        let line = Array("finding: \(message())\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        abort()
    }

    /// Reports a finding unless the claim is true.
    @inline(__always)
    public static func expect(_ claim: Bool, _ message: @autoclosure () -> String) {
        if !claim { found(message()) }
    }
}
