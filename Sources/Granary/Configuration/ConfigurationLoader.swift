import FoundationEssentials
import MachineHost

/// Puts a configuration together: the defaults, over them a file, over that the environment, over that flags.
struct ConfigurationLoader {
    private(set) var configuration = Configuration()
    private(set) var problems: [ConfigurationProblem] = []

    /// The configuration of these sources.
    static func load(
        file: ConfigurationFile?, environment: [String: String], flags: [(name: String, value: String)]
    ) throws(ConfigurationError) -> Configuration {
        var loader = ConfigurationLoader()
        if let file { loader.apply(file) }
        loader.apply(environment: environment)
        loader.apply(flags: flags)
        guard loader.problems.isEmpty else { throw ConfigurationError(problems: loader.problems) }
        return loader.configuration
    }

    private mutating func apply(_ file: ConfigurationFile) {
        do {
            for entry in try file.entries() {
                set(entry.name, to: .json(entry.value), at: entry.place)
            }
        } catch {
            problems += error.problems
        }
    }

    private mutating func apply(environment: [String: String]) {
        let known = Dictionary(uniqueKeysWithValues: ConfigurationKey.all.map { ($0.environmentName, $0) })
        for (variable, value) in environment.sorted(by: { $0.key < $1.key }) where variable.hasPrefix("GRANARY_") {
            if let key = known[variable] {
                assign(key, .text(value), at: variable)
            } else if !Self.isForeign(variable) {
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

    private mutating func set(_ name: String, to value: ConfigurationKey.RawValue, at place: String) {
        guard let key = ConfigurationKey.named(name) else {
            let hint = Nearest.hint(for: name, among: ConfigurationKey.all.map(\.name))
            problems.append(ConfigurationProblem(place: place, message: "\(name): no such key\(hint)"))
            return
        }
        assign(key, value, at: place)
    }

    private mutating func assign(_ key: ConfigurationKey, _ value: ConfigurationKey.RawValue, at place: String) {
        guard !key.assign(value, to: &configuration) else { return }
        let message = "\(key.name): \(key.complaint(about: value))"
        problems.append(ConfigurationProblem(place: place, message: message))
    }

    /// The file's own variable, the one that tells of a server to take over from, and those that Kubernetes gives every container where a service is called `granary`.
    private static func isForeign(_ variable: String) -> Bool {
        variable == "GRANARY_CONFIG" || variable == Predecessor.variable || variable == "GRANARY_PORT"
            || variable.hasPrefix("GRANARY_PORT_") || variable.hasPrefix("GRANARY_SERVICE_")
    }
}

extension ConfigurationKey.RawValue {
    /// What came, for a message. A text is cut short, and no key whose value is secret refuses a text.
    var shown: String {
        switch self {
        case .text(let text), .json(.string(let text)): JSON5Text.quoted(String(text.prefix(80)))
        case .json(.number(let number)): Int(exactly: number).map(String.init) ?? String(number)
        case .json(let value): value.kind
        }
    }
}
