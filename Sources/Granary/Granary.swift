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
/// - Parameter machines: Gives the machines to host. Called once, with what the operator chose, before the server listens.
public func serve(_ machines: (Configuration) throws -> [MachineDefinition]) async -> Never {
    let signals = ShutdownSignals()
    let program = Program(
        arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment,
        name: "granary", print: { line in print(line) },
        complain: { line in FileHandle.standardError.write(Data((line + "\n").utf8)) })
    let listed = { (configuration: Configuration) throws -> [MachineDefinition] in
        let definitions = try machines(configuration)
        _ = try SessionHost(definitions)
        return definitions
    }
    let status = await program.run(machines: listed) { configuration in
        let log = Log.standardError(level: configuration.log.level, format: configuration.log.format)
        let definitions = try machines(configuration)
        let host = try SessionHost(definitions, configuration: configuration.host, log: log)
        let tls = try ServedTLS(configuration.tls, log: log)
        let succession = try Succession(
            arguments: CommandLine.arguments, environment: ProcessInfo.processInfo.environment,
            timeout: configuration.http.takeoverTimeout, log: log)
        let run = ServerRun(
            configuration: configuration, log: log, tls: tls, succession: succession, handedOver: signals.handedOver,
            machines: definitions.map { ($0.name, $0.summary, $0.outputs.map(\.name)) }
        ) { loop in host.makeShard(on: loop) }
        try await run.run(announce: announce) { await signals.first() }
    }
    exit(status)
}

/// Prints at once, also where standard output is a file or a pipe.
private func announce(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
}
