import FoundationEssentials
import Glibc
import Log
import ProcessLifecycle

let signals = ShutdownSignals()
let output = OutputWriter(descriptor: STDOUT_FILENO)
let errors = OutputWriter(descriptor: STDERR_FILENO)
let log = Log.standardError(level: .warning, format: .text)

/// Flushes the output within a time limit and exits.
func end(_ status: Int32) -> Never {
    output.flush(within: .seconds(1))
    log.flush(within: .seconds(1))
    errors.flush(within: .seconds(1))
    ProcessExit.exit(status)
}

do {
    let options = try TargetOptions(arguments: Array(CommandLine.arguments.dropFirst()))
    if options.wantsHelp {
        output.write("\(TargetOptions.help)\n")
        end(0)
    }
    let server = try TargetServer(options, log: log)
    output.write("http-target serves on \(try server.start().joined(separator: " and on "))\n")
    await signals.wait()
    await server.shutdown()
    end(0)
} catch let error as TargetUsageError {
    errors.write("http-target: \(error)\nhttp-target --help lists the options.\n")
    end(2)
} catch {
    errors.write("http-target: \(error)\n")
    end(1)
}
