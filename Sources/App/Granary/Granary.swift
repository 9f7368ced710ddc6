// One import hosts an observable class and authenticates its users. Other styles have an adapter to import beside it.
@_exported public import Access
import CLinux
import Foundation
import Glibc
import Log
@_exported public import MachineAdapters
@_exported public import MachineHost
import ProcessLifecycle

/// Runs a program that hosts machines: parses the command line, the environment and the configuration file, runs the
/// command, and exits the process.
///
/// The default command, `serve`, runs the server until SIGTERM or SIGINT and then drains it. SIGUSR2 replaces the
/// process with a new one on the same sockets (hot restart).
///
/// ```swift
/// await Granary.serve { _ in
///     [
///         try .ricemill("counter", summary: "Counts.") { _ in
///             CounterViewModel(input: .init(), store: .init(), extra: .init())
///         }
///     ]
/// }
/// ```
///
/// The exit status is 0 for success, 1 if the server could not start, for example because its port is in use, and 2 if
/// the command line or the configuration is invalid. The reason is printed to standard error.
///
/// - Parameters:
///   - name: The name of the program, for its messages and help. The default is the file name of the executable.
///   - version: The version of the program, which `--version` prints.
///   - page: The additions of the program to the page at `/`.
///   - defaults: The default configuration of the server, which operators change as usual.
///   - authenticator: The program's own authentication, for example the session of an existing web application.
///   - machines: Returns the machines to host. Called once, before the server listens, and by commands that check or
///     list the machines.
public func serve(
    name: String? = nil, version: String? = nil, page: Page? = nil, defaults: Configuration = Configuration(),
    authenticator: HostAuthenticator? = nil, _ machines: (Configuration) throws -> [MachineDefinition]
) async -> Never {
    await serve(
        ProgramIdentity(name: name, version: version, executable: CommandLine.arguments.first ?? ""),
        table: ConfigurationTable(defaults: defaults), page: page, authenticator: authenticator, machines)
}

/// Runs a program that hosts machines and has its own configuration keys.
///
/// The program's keys work like those of the server: operators set them in the configuration file, with environment
/// variables and with flags, and `--help`, `print-defaults` and `check-config` include them.
///
/// - Parameters:
///   - name: The name of the program, for its messages and help. The default is the file name of the executable.
///   - version: The version of the program, which `--version` prints.
///   - page: The additions of the program to the page at `/`.
///   - defaults: The default configuration of the server, which operators change as usual.
///   - authenticator: The program's own authentication, for example the session of an existing web application.
///   - settings: The default settings of the program.
///   - keys: The keys that change the settings.
///   - machines: Returns the machines to host. Called once, before the server listens, and by commands that check or
///     list the machines.
public func serve<Settings: Sendable>(
    name: String? = nil, version: String? = nil, page: Page? = nil, defaults: Configuration = Configuration(),
    authenticator: HostAuthenticator? = nil, settings: Settings, keys: [ConfigurationKey<Settings>],
    _ machines: (Configuration, Settings) throws -> [MachineDefinition]
) async -> Never {
    await serve(
        name: name, version: version, page: page, defaults: defaults, authenticator: authenticator, settings: settings,
        keys: keys, commands: [], machines)
}

/// Runs a program that hosts machines, has its own configuration keys, and has commands besides those of every server.
///
/// - Parameters:
///   - name: The name of the program, for its messages and help. The default is the file name of the executable.
///   - version: The version of the program, which `--version` prints.
///   - page: The additions of the program to the page at `/`.
///   - defaults: The default configuration of the server, which operators change as usual.
///   - authenticator: The program's own authentication, for example the session of an existing web application.
///   - settings: The default settings of the program.
///   - keys: The keys that change the settings.
///   - machines: Returns the machines to host. Called once, before the server listens, and by commands that check or
///     list the machines.
package func serve<Settings: Sendable>(
    name: String? = nil, version: String? = nil, page: Page? = nil, defaults: Configuration = Configuration(),
    authenticator: HostAuthenticator? = nil, settings: Settings, keys: [ConfigurationKey<Settings>],
    commands: [AdditionalCommand], _ machines: (Configuration, Settings) throws -> [MachineDefinition]
) async -> Never {
    await serve(
        ProgramIdentity(name: name, version: version, executable: CommandLine.arguments.first ?? ""),
        table: ConfigurationTable(defaults: defaults, settings: settings, keys: keys), commands: commands, page: page,
        authenticator: authenticator
    ) { try machines($0.server, $0.settings) }
}

private func serve<Root: Sendable>(
    _ identity: ProgramIdentity, table: ConfigurationTable<Root>, commands: [AdditionalCommand] = [], page: Page?,
    authenticator: HostAuthenticator?, _ machines: (Root) throws -> [MachineDefinition]
) async -> Never {
    // SIGUSR2 is ignored until the takeover handles it, as it would terminate the process.
    let signals = ShutdownSignals(ignoring: [SIGUSR2])
    DeterministicHashing.begin(forCommand: CommandLine.arguments.dropFirst().first)
    let output = ProgramOutput()
    let environment = ProcessInfo.processInfo.environment
    let page = Page.developing(page, environment: environment)
    let program = Program(
        arguments: Array(CommandLine.arguments.dropFirst()), environment: environment, identity: identity, table: table,
        additional: commands, print: output.print, printError: output.printError, finish: output.finish)
    let status = await program.run { root in
        ServerPreparation.problems(root[keyPath: table.server], page: page, authenticator: authenticator) {
            try machines(root)
        } stateDirectory: {
            try SessionStore.directory($0, for: $1, program: identity.name, environment: environment)
        }
    } warnings: { root in
        ExposureCheck(root[keyPath: table.server], authenticator: authenticator).warnings
    } machines: { root in
        let definitions = try machines(root)
        _ = try SessionHost(definitions)
        return definitions
    } serve: { root in
        var configuration = root[keyPath: table.server]
        configuration.sessions.build = identity.versionText
        let log = Log.standardError(level: configuration.log.level, format: configuration.log.format)
        // The log must be complete before the error that ended the server is printed.
        defer { log.flush(within: ProgramOutput.serverLimit) }
        let definitions = try machines(root)
        let store = try SessionStore(
            configuration.storage, for: definitions, program: identity.name, environment: environment,
            log: log.module("journal"))
        let succession = try Succession(
            arguments: CommandLine.arguments, environment: environment, timeout: configuration.takeoverTimeout, log: log
        )
        let isReplacing = succession.predecessor != nil
        try store?.restoreKeys(isReplacing: isReplacing)
        let prepared = try ServerPreparation(
            configuration, page: page, authenticator: authenticator, store: store, log: log
        ) { definitions }
        // Not done by an embedded `Server`, because it configures the allocator of the whole process.
        granary_return_freed_memory()
        // A server that replaces another one opens the journal when that one has released it.
        if isReplacing { try store?.checkShapes(of: prepared.host) } else { try await store?.open() }
        let run = ServerRun(
            configuration: configuration, log: log, tls: prepared.tls, spans: prepared.spans,
            access: prepared.servedAccess, page: page,
            program: identity.startupName, succession: succession, store: store, handedOver: signals.requestShutdown,
            machines: prepared.machines.map { ($0.name, $0.summary, $0.outputs.map(\.name)) },
            obstacles: store == nil ? [:] : prepared.obstacles,
            effective: { EffectiveValue.all(of: table, in: root) },
            replay: ReplayProcess(arguments: CommandLine.arguments, environment: environment)
        ) { [host = prepared.host] in host.makeShard(on: $0, counting: $1) }
        try await run.run(announce: output.print) { await signals.wait() }
    }
    ProcessExit.exit(status)
}
