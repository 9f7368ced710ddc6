import MachineHost

/// One run of a command: what it prints, and the status that the process exits with.
struct Program {
    /// The arguments behind the program's name.
    let arguments: [String]
    /// The environment's variables.
    let environment: [String: String]
    /// The program's own name, for the help.
    let name: String
    /// Where answers go, a line each.
    let print: (String) -> Void
    /// Where complaints go, a line each.
    let complain: (String) -> Void

    /// Runs the command; `serve` is called with the configuration if that is what was asked for, and `machines` to list
    /// the machines. 0 is success, 1 a failure, 2 a command line or a configuration that is wrong.
    func run(
        machines: (Configuration) throws -> [MachineDefinition] = { _ in [] },
        serve: (Configuration) async throws -> Void
    ) async -> Int32 {
        do {
            switch try Command(arguments: arguments) {
            case .help: print(Usage.text(program: name))
            case .version: print("granary \(Version.current)")
            case .printDefaults: print(String(DefaultsDocument.text.dropLast()))
            case .checkConfiguration(let options): show(try configuration(options))
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

    private func show(_ configuration: Configuration) {
        for key in ConfigurationKey.all {
            print("\(key.name) = \(key.text(in: configuration))")
        }
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
