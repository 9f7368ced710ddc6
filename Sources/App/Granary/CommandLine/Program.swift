import Contract
import MachineHost

/// One run of a command: its output and its exit status.
struct Program<Root: Sendable> {
    /// The arguments after the program's name.
    let arguments: [String]
    let environment: [String: String]
    /// The names that the program prints.
    let identity: ProgramIdentity
    let table: ConfigurationTable<Root>
    /// The commands of this program only.
    var additional: [AdditionalCommand] = []
    /// Prints lines to standard output.
    let print: (String) -> Void
    let printError: (String) -> Void
    /// Waits until all output has been written, within a time limit. Returns the reason if output was lost.
    let finish: (Duration) -> String?

    /// Runs the command and waits, within a time limit, until its output has been written.
    ///
    /// - Parameters:
    ///   - check: Returns the problems that would prevent `serve` from starting with a configuration.
    ///   - warnings: Returns what is probably not intended in a configuration.
    ///   - machines: Returns the machines that the server would host.
    ///   - serve: Runs the server.
    /// - Returns: 0 for success, 1 for a failure, including lost output, and 2 for an invalid command line or
    ///   configuration.
    func run(
        check: (Root) -> [String], warnings: (Root) -> [String] = { _ in [] },
        machines: (Root) throws -> [MachineDefinition] = { _ in [] }, serve: (Root) async throws -> Void
    ) async -> Int32 {
        var isServer = false
        let status = await perform(check: check, warnings: warnings, machines: machines) { configuration in
            isServer = true
            try await serve(configuration)
        }
        // A server works without a reader of its output, so lost output is not a failure of the server.
        let limit = isServer ? ProgramOutput.serverLimit : ProgramOutput.commandLimit
        guard let reason = finish(limit), !isServer else { return status }
        printError("\(identity.name): standard output could not be written: \(reason)")
        _ = finish(ProgramOutput.serverLimit)
        return status == 0 ? 1 : status
    }

    private func perform(
        check: (Root) -> [String], warnings: (Root) -> [String],
        machines: (Root) throws -> [MachineDefinition], serve: (Root) async throws -> Void
    ) async -> Int32 {
        if let problem = table.problem {
            printError("\(identity.name): \(problem)")
            return 1
        }
        do {
            if let command = additional.first(where: { $0.name == arguments.first }), !asksForHelp {
                return command.run(Array(arguments.dropFirst()), print, printError)
            }
            switch try Command(arguments: asksForHelp ? ["help"] : arguments, table: table, additional: names) {
            case .help: print(Usage.text(program: identity.name, table: table, additional: additional))
            case .version: print(identity.versionText)
            case .printDefaults:
                print(String(DefaultsDocument.text(of: table, program: identity.name).dropLast()))
            case .provenance: print("\(identity.versionText)\n\(BuildProvenance.current.text())")
            case .billOfMaterials: print(BillOfMaterials(program: identity).text)
            case .checkConfiguration(let options):
                return self.check(try configuration(options), check, warnings)
            case .keys(let command, let options):
                let access = try configuration(options)[keyPath: table.server].access
                return KeysRun(path: access.apiKeys, print: print, printError: printError).run(command)
            case .machines(let options): return list(machines, try configuration(options))
            case .contract(let file, let options): return contract(file, machines, try configuration(options))
            case .types(let language, let machine, let options):
                return types(language, machine, machines, try configuration(options))
            case .servedTypes(let language, let machine, let address):
                return await servedTypes(language, machine, address)
            case .health(let url, let options): return try health(url: url, options)
            case .sessions(let command, let options):
                return try sessions(command, try configuration(options), machines)
            case .replay(let file, let machine, let options):
                let configuration = try configuration(options)
                let server = configuration[keyPath: table.server]
                return ReplayRun(
                    file: file, machine: machine, keys: { try server.secretKeys() }, print: print,
                    printError: printError
                )
                .run(server.sessions) { try machines(configuration) }
            case .serve(let options): return await serving(try configuration(options), serve)
            }
            return 0
        } catch let error as UsageError {
            printError("\(error)\nRun \(identity.name) --help for a list of commands and flags.")
        } catch {
            printError("\(error)")
        }
        return 2
    }

    private var names: [String] { additional.map(\.name) }

    /// Whether an additional command is to be explained. All commands have one help.
    private var asksForHelp: Bool {
        names.contains(arguments.first ?? "") && !Set(arguments.dropFirst()).isDisjoint(with: ["--help", "-h"])
    }

    private func configuration(_ options: Command.Options) throws(ConfigurationError) -> Root {
        let path = options.file ?? environment["GRANARY_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        var file: ConfigurationFile?
        if let path { file = try ConfigurationFile(readingFrom: path) }
        return try ConfigurationLoader.load(
            table, file: file, environment: environment, flags: options.flags.map { ($0.name, $0.value) })
    }

    private func check(
        _ configuration: Root, _ check: (Root) -> [String], _ warnings: (Root) -> [String]
    ) -> Int32 {
        let problems = check(configuration)
        guard problems.isEmpty else {
            for problem in problems { printError(problem) }
            return 2
        }
        for warning in warnings(configuration) { printError("warning: \(warning)") }
        for key in table.keys {
            print("\(key.name) = \(key.text(in: configuration))")
        }
        return 0
    }

    private func health(url: String?, _ options: Command.Options) throws -> Int32 {
        let check: HealthCheck
        if let url {
            guard let requested = HealthCheck(url: url) else {
                throw UsageError(description: "--url: expected http://host:port or unix:/path, got \"\(url)\"")
            }
            check = requested
        } else {
            guard let configured = HealthCheck(of: try configuration(options)[keyPath: table.server]) else {
                throw UsageError(description: "health requires a cleartext listener, but http.listeners contains none")
            }
            check = configured
        }
        switch check.status() {
        case 200:
            print("ready")
            return 0
        case let status?: printError("not ready: status \(status)")
        case nil: printError("not ready: no response from \(check.address)")
        }
        return 1
    }

    private func sessions(
        _ command: SessionsCommand, _ configuration: Root, _ machines: (Root) throws -> [MachineDefinition]
    ) throws -> Int32 {
        let server = configuration[keyPath: table.server]
        let named = server.storage.journal.directory ?? ""
        let directory = try StateDirectory.path(
            configured: named.isEmpty ? server.storage.directory : named, program: identity.name,
            environment: environment)
        return SessionsRun(
            directory: directory, keys: { try server.secretKeys() }, journal: server.storage.journal,
            journalTimeout: server.storage.journalTimeout, identityFile: server.access.identityKey,
            print: print, printError: printError
        )
        .run(command) { try machines(configuration) }
    }

    private func list(_ machines: (Root) throws -> [MachineDefinition], _ configuration: Root) -> Int32 {
        withMachines(machines, configuration) { machines in
            let server = configuration[keyPath: table.server]
            let (preset, keys) = (server.storage.durability, try server.secretKeys())
            for machine in machines {
                MachineListing.lines(of: machine.storable(with: keys), byDefault: preset).forEach(print)
            }
            return 0
        }
    }

    private func contract(
        _ file: String?, _ machines: (Root) throws -> [MachineDefinition], _ configuration: Root
    ) -> Int32 {
        withMachines(machines, configuration) {
            ContractRun(program: identity.name, print: print, printError: printError).run($0, comparingWith: file)
        }
    }

    private func types(
        _ language: TypesLanguage, _ machine: String?, _ machines: (Root) throws -> [MachineDefinition],
        _ configuration: Root
    ) -> Int32 {
        withMachines(machines, configuration) {
            TypesRun(program: identity.name, print: print, printError: printError).run(language, $0, machine: machine)
        }
    }

    private func servedTypes(_ language: TypesLanguage, _ machine: String?, _ address: String) async -> Int32 {
        do throws(OperatorError) {
            print(try await ServedTypes(of: machine, in: language, at: address).text())
            return 0
        } catch {
            printError("\(identity.name): \(error)")
            return 1
        }
    }

    /// Runs a command about the machines. Returns 1 if they cannot be created, or it fails.
    private func withMachines(
        _ machines: (Root) throws -> [MachineDefinition], _ configuration: Root,
        _ run: ([MachineDefinition]) throws -> Int32
    ) -> Int32 {
        do {
            return try run(try machines(configuration))
        } catch {
            printError("\(identity.name): \(error)")
            return 1
        }
    }

    private func serving(_ configuration: Root, _ serve: (Root) async throws -> Void) async -> Int32 {
        do {
            try await serve(configuration)
            return 0
        } catch {
            printError("\(identity.name): \(error)")
            return 1
        }
    }
}
