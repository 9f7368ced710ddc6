import CLibFuzzer
import Glibc

/// libFuzzer, which makes inputs and watches which parts of the program they reach.
public enum Fuzzer {
    /// Looks at one input. It is called over and over in one process, so nothing may be left of the call before.
    public typealias Check = @convention(c) (_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt

    /// Runs until the command line's limit is reached or something is found, and ends the process.
    public static func run(_ check: Check) -> Never {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments, check))
    }

    /// Ends the process with a finding: libFuzzer keeps the input that led here.
    public static func found(_ message: @autoclosure () -> String) -> Never {
        let line = Array("finding: \(message())\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        abort()
    }

    /// A finding unless it holds.
    @inline(__always)
    public static func expect(_ claim: Bool, _ message: @autoclosure () -> String) {
        if !claim { found(message()) }
    }
}
