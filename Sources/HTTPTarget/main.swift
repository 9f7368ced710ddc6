import FoundationEssentials
import Glibc
import Log

let signals = EndSignals()

/// At once, also where the output is a file or a pipe.
func say(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
    let line = Array((text + "\n").utf8)
    _ = write(descriptor, line, line.count)
}

do {
    let options = try TargetOptions(arguments: Array(CommandLine.arguments.dropFirst()))
    if options.wantsHelp {
        say(TargetOptions.help)
        exit(0)
    }
    let server = try TargetServer(options, log: .standardError(level: .warning, format: .text))
    say("http-target serves on \(try server.start().joined(separator: " and on "))")
    await signals.first()
    await server.shutdown()
} catch let error as TargetUsageError {
    say("http-target: \(error)\nhttp-target --help tells what there is.", to: STDERR_FILENO)
    exit(2)
} catch {
    say("http-target: \(error)", to: STDERR_FILENO)
    exit(1)
}
