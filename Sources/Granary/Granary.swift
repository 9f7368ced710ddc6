import CLinux
import Foundation
import Log
// One import is enough to host a machine.
@_exported public import MachineAdapters
@_exported public import MachineHost

/// Runs a program that hosts machines: reads the command line, the environment and the configuration's file, does what
/// they ask for, and ends the process. `serve`, which is what no command means, lasts until SIGTERM or SIGINT and drains
/// before it ends; at SIGUSR2 it starts the program anew and leaves the sockets to it.
///
/// ```swift
/// await Granary.serve { _ in
///     [try .ricemill("counter", summary: "Counts.") { _ in CounterViewModel(input: .init(), store: .init(), extra: .init()) }]
/// }
/// ```
///
/// The exit status is 0 after a clean end, 1 if the server could not start (the port is taken, a machine cannot be hosted),
/// and 2 if the command line or the configuration is wrong; standard error says why.
///
/// - Parameter machines: Gives the machines to host. Called once, with what the operator chose, before the server listens,
///   and by `check-config`, which does not listen.
public func serve(_ machines: (Configuration) throws -> [MachineDefinition]) async -> Never {
    let signals = ShutdownSignals()
    let output = ProgramOutput()
    let program = Program(
        arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment,
        name: "granary", print: output.print, complain: output.complain, finish: output.finish)
    let status = await program.run { configuration in
        ServerPreparation.problems(configuration, machines)
    } machines: { configuration in
        let definitions = try machines(configuration)
        _ = try SessionHost(definitions)
        return definitions
    } serve: { configuration in
        let log = Log.standardError(level: configuration.log.level, format: configuration.log.format)
        // Before a complaint about what ended the server.
        defer { log.flush(within: ProgramOutput.serverLimit) }
        let prepared = try ServerPreparation(configuration, machines, log: log)
        granary_return_freed_memory()
        let succession = try Succession(
            arguments: CommandLine.arguments, environment: ProcessInfo.processInfo.environment,
            timeout: configuration.http.takeoverTimeout, log: log)
        let run = ServerRun(
            configuration: configuration, log: log, tls: prepared.tls, succession: succession,
            handedOver: signals.handedOver,
            machines: prepared.machines.map { ($0.name, $0.summary, $0.outputs.map(\.name)) }
        ) { [host = prepared.host] loop in host.makeShard(on: loop) }
        try await run.run(announce: output.print) { await signals.first() }
    }
    ProcessEnd.exit(status)
}
