import MachineHost

/// Applies the sources of a configuration in the order of their precedence: defaults, file, environment, flags.
struct ConfigurationLoader<Root: Sendable> {
    private let table: ConfigurationTable<Root>
    private var configuration: Root
    private var problems: [ConfigurationProblem] = []

    private init(_ table: ConfigurationTable<Root>) {
        self.table = table
        configuration = table.defaults
    }

    /// Returns the configuration that results from the sources.
    ///
    /// - Throws: `ConfigurationError` with the problems of all sources.
    static func load(
        _ table: ConfigurationTable<Root>, file: ConfigurationFile?, environment: [String: String],
        flags: [(name: String, value: String)]
    ) throws(ConfigurationError) -> Root {
        var loader = ConfigurationLoader(table)
        if let file { loader.apply(file) }
        loader.apply(environment: environment)
        loader.apply(flags: flags)
        guard loader.problems.isEmpty else { throw ConfigurationError(problems: loader.problems) }
        return loader.configuration
    }

    private mutating func apply(_ file: ConfigurationFile) {
        do {
            for entry in try file.entries(sections: table.sections) {
                set(entry.name, to: .json(entry.value), at: entry.place)
            }
        } catch {
            problems += error.problems
        }
    }

    private mutating func apply(environment: [String: String]) {
        let known = Dictionary(table.keys.map { ($0.environmentName, $0) }) { first, _ in first }
        // Sorted, so that every run reports the problems in the same order.
        for (variable, value) in environment.sorted(by: { $0.key < $1.key }) where variable.hasPrefix("GRANARY_") {
            if let key = known[variable] {
                assign(key, .text(value), at: variable)
            } else if !Self.isReserved(variable) {
                problems.append(
                    ConfigurationProblem(
                        place: variable, message: "no such key" + Nearest.hint(for: variable, among: known.keys)))
            }
        }
    }

    private mutating func apply(flags: [(name: String, value: String)]) {
        for (name, value) in flags {
            set(name, to: .text(value), at: "--\(name)")
        }
    }

    private mutating func set(_ name: String, to value: ConfigurationInput, at place: String) {
        guard let key = table.key(named: name) else {
            let hint = Nearest.hint(for: name, among: table.keys.map(\.name))
            problems.append(ConfigurationProblem(place: place, message: "\(name): no such key\(hint)"))
            return
        }
        assign(key, value, at: place)
    }

    private mutating func assign(_ key: ConfigurationKey<Root>, _ value: ConfigurationInput, at place: String) {
        guard !key.assign(value, to: &configuration) else { return }
        problems.append(ConfigurationProblem(place: place, message: "\(key.name): \(key.complaint(about: value))"))
    }

    /// Returns whether a variable with the prefix is not a key: the path of the file, the variable of hot restarts, and
    /// the variables that Kubernetes sets in every container if a service is called `granary`.
    private static func isReserved(_ variable: String) -> Bool {
        ["GRANARY_CONFIG", Predecessor.variable, DevelopmentStatusFile.variable, "GRANARY_PORT"].contains(variable)
            || variable.hasPrefix("GRANARY_PORT_") || variable.hasPrefix("GRANARY_SERVICE_")
    }
}
