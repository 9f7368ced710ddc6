import MachineHost

/// One run of a command: what it prints, and the status that the process exits with.
struct Program {
    /// The arguments behind the program's name.
    let arguments: [String]
    /// The environment's variables.
    let environment: [String: String]
    /// The program's own name, for the help.
    let name: String
    /// Prints a result, a line or several.
    let print: (String) -> Void
    /// Prints what is wrong, a line or several.
    let complain: (String) -> Void
    /// Waits until everything has been printed, but no longer than this; returns why results were lost, if they were.
    let finish: (Duration) -> String?

    /// Runs the command and waits, for a bounded time, until everything has been printed.
    ///
    /// - Parameters:
    ///   - check: Returns what would keep `serve` from starting with the configuration.
    ///   - machines: Returns the machines that the server would host, to list them.
    ///   - serve: Serves with the configuration, if that is the command.
    /// - Returns: 0 for success, 1 for a failure, also to print a result, 2 for a command line or a configuration that is
    ///   wrong.
    func run(
        check: (Configuration) -> [String], machines: (Configuration) throws -> [MachineDefinition] = { _ in [] },
        serve: (Configuration) async throws -> Void
    ) async -> Int32 {
        var isServer = false
        let status = await perform(check: check, machines: machines) { configuration in
            isServer = true
            try await serve(configuration)
        }
        // A server serves whether or not anybody reads where.
        let limit = isServer ? ProgramOutput.serverLimit : ProgramOutput.commandLimit
        guard let reason = finish(limit), !isServer else { return status }
        complain("\(name): standard output could not be written: \(reason)")
        _ = finish(ProgramOutput.serverLimit)
        return status == 0 ? 1 : status
    }

    private func perform(
        check: (Configuration) -> [String], machines: (Configuration) throws -> [MachineDefinition],
        serve: (Configuration) async throws -> Void
    ) async -> Int32 {
        do {
            switch try Command(arguments: arguments) {
            case .help: print(Usage.text(program: name))
            case .version: print("granary \(Version.current)")
            case .printDefaults: print(String(DefaultsDocument.text.dropLast()))
            case .checkConfiguration(let options): return self.check(try configuration(options), check)
            case .machines(let options): return list(machines, try configuration(options))
            case .health(let url, let options): return try health(url: url, options)
            case .serve(let options): return await serving(try configuration(options), serve)
            }
            return 0
        } catch let error as UsageError {
            complain("\(error)\n\(name) --help tells what there is.")
        } catch {
            complain("\(error)")
        }
        return 2
    }

    private func configuration(_ options: Command.Options) throws(ConfigurationError) -> Configuration {
        let path = options.file ?? environment["GRANARY_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        var file: ConfigurationFile?
        if let path { file = try ConfigurationFile(readingFrom: path) }
        return try ConfigurationLoader.load(
            file: file, environment: environment, flags: options.flags.map { ($0.name, $0.value) })
    }

    private func check(_ configuration: Configuration, _ check: (Configuration) -> [String]) -> Int32 {
        let problems = check(configuration)
        guard problems.isEmpty else {
            for problem in problems { complain(problem) }
            return 2
        }
        for key in ConfigurationKey.all {
            print("\(key.name) = \(key.text(in: configuration))")
        }
        return 0
    }

    private func health(url: String?, _ options: Command.Options) throws -> Int32 {
        let check: HealthCheck
        if let url {
            guard let asked = HealthCheck(url: url) else {
                throw UsageError(description: "--url expects http://host:port or unix:/path, got \"\(url)\"")
            }
            check = asked
        } else {
            guard let described = HealthCheck(of: try configuration(options)) else {
                throw UsageError(description: "health asks in cleartext, and http.listeners has no listener for that")
            }
            check = described
        }
        switch check.status() {
        case 200:
            print("ready")
            return 0
        case let status?: complain("not ready: status \(status)")
        case nil: complain("not ready: no answer from \(check.addressee)")
        }
        return 1
    }

    private func list(
        _ machines: (Configuration) throws -> [MachineDefinition], _ configuration: Configuration
    ) -> Int32 {
        do {
            for machine in try machines(configuration) { MachineListing.lines(of: machine).forEach(print) }
            return 0
        } catch {
            complain("\(name): \(error)")
            return 1
        }
    }

    private func serving(
        _ configuration: Configuration, _ serve: (Configuration) async throws -> Void
    ) async -> Int32 {
        do {
            try await serve(configuration)
            return 0
        } catch {
            complain("\(name): \(error)")
            return 1
        }
    }
}
