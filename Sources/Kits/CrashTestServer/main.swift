import Granary

// `early …` serves with a journal that acknowledges too early. Every other command is granary's own.
if CommandLine.arguments.dropFirst().first == "early" {
    guard CommandLine.arguments.count == 4, let port = UInt16(CommandLine.arguments[2]) else {
        EarlyServer.printUsage()
    }
    try EarlyServer.run(port: port, directory: CommandLine.arguments[3])
} else {
    await Granary.serve(name: "crash-test-server") { _ in try LedgerMachines.definitions() }
}
