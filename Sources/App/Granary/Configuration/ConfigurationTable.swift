/// All keys of a program, with the defaults of its configuration.
struct ConfigurationTable<Root: Sendable>: Sendable {
    /// The configuration before any source is applied.
    let defaults: Root
    /// The keys, in the order of the help and of the file of defaults.
    let keys: [ConfigurationKey<Root>]
    /// The place of the server's own configuration.
    let server: any WritableKeyPath<Root, Configuration> & Sendable

    /// The names of the sections, in order.
    var sections: [String] {
        keys.map(\.section).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Returns the key with a name, or `nil` if none exists.
    func key(named name: String) -> ConfigurationKey<Root>? {
        keys.first { $0.name == name }
    }

    /// The reason why the keys of a program cannot be used, or `nil` if they can.
    var problem: String? {
        // By environment variable, each of which is computed once: every start of the server checks the table.
        var seen: [String: ConfigurationKey<Root>] = [:]
        for key in keys {
            guard key.name.split(separator: ".", omittingEmptySubsequences: false).count == 2, !key.section.isEmpty,
                !key.member.isEmpty
            else {
                return
                    "expected a configuration key with a section and a name, such as \"app.name\", got \"\(key.name)\""
            }
            let variable = key.environmentName
            if let other = seen.updateValue(key, forKey: variable) {
                return "the configuration keys \(other.name) and \(key.name) have the same environment variable, "
                    + variable
            }
        }
        return nil
    }
}

extension ConfigurationTable<Configuration> {
    /// The keys of a program without its own keys.
    static var standard: ConfigurationTable { ConfigurationTable(defaults: Configuration()) }

    /// Creates the table of a program without its own keys.
    init(defaults: Configuration) {
        self.init(defaults: defaults, keys: Configuration.keys + Configuration.logKeys, server: \.self)
    }
}

/// The configuration of a program with its own settings.
struct ProgramConfiguration<Settings: Sendable>: Sendable {
    var server = Configuration()
    var settings: Settings
}

extension ConfigurationTable {
    /// Creates the table of a program with its own settings.
    init<Settings>(
        defaults: Configuration = Configuration(), settings: Settings, keys: [ConfigurationKey<Settings>]
    ) where Root == ProgramConfiguration<Settings> {
        let own = keys.map { ConfigurationKey<Root>($0, in: \.settings) }
        self.init(
            defaults: Root(server: defaults, settings: settings),
            keys: Configuration.keys.map { ConfigurationKey<Root>($0, in: \.server) } + own
                + Configuration.logKeys.map { ConfigurationKey<Root>($0, in: \.server) }, server: \.server)
    }
}
