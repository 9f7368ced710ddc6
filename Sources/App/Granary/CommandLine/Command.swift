import Contract
import MachineHost

/// A parsed command line.
enum Command: Equatable {
    case serve(Options)
    case checkConfiguration(Options)
    case printDefaults
    case machines(Options)
    /// Prints the contract of the machines, or compares it with that of a file.
    case contract(comparedWith: String?, Options)
    /// Prints the types of a machine, or of all of them, in a language.
    case types(TypesLanguage, machine: String?, Options)
    /// Prints the types that the server at an address describes.
    case servedTypes(TypesLanguage, machine: String?, address: String)
    case health(url: String?, Options)
    case sessions(SessionsCommand, Options)
    case keys(KeysCommand, Options)
    /// Runs a recorded session again. The machine is that of the file if none is named.
    case replay(file: String, machine: String?, Options)
    case help
    case version
    /// The version, and how the program was built.
    case provenance
    /// The components of the program, for tools.
    case billOfMaterials

    /// The sources of the configuration that the command line specifies.
    struct Options: Equatable {
        /// The path of the configuration file.
        var file: String?
        /// The keys that flags set, in order. The last flag for a key takes effect.
        var flags: [Flag] = []
    }

    /// A `--section.key value` flag.
    struct Flag: Equatable {
        var name: String
        var value: String
    }
}

/// An invalid command line.
struct UsageError: Error, Equatable, CustomStringConvertible {
    var description: String
}

extension Command {
    private static let names = [
        "serve", "check-config", "print-defaults", "machines", "contract", "types", "health", "sessions", "keys",
        "backup",
        "replay", "help", "version",
    ]

    /// Parses the arguments after the program's name. The default command is `serve`.
    ///
    /// - Parameters:
    ///   - table: The keys of the program. They determine which flags need no value, and the hints for unknown flags.
    ///   - additional: The names of the program's own commands, for the hints for unknown ones.
    init<Root>(
        arguments: [String], table: ConfigurationTable<Root>, additional: [String] = []
    ) throws(UsageError) {
        let first = arguments.first ?? "serve"
        let isNamed = !first.hasPrefix("-") || ["--help", "-h", "--version"].contains(first)
        let name = isNamed ? first : "serve"
        let flags = table.keys.map { KnownFlag(name: $0.name, member: $0.member, isSwitch: $0.isSwitch) }
        var rest = ArgumentReader(arguments.dropFirst(isNamed ? 1 : 0), flags: flags)
        switch name {
        case "help", "--help", "-h": self = .help
        case "version", "--version":
            if rest.take(switch: "--bom") {
                self = .billOfMaterials
            } else {
                self = rest.take(switch: "--verbose") ? .provenance : .version
            }
        case "print-defaults": self = .printDefaults
        case "serve": self = .serve(try rest.options())
        case "check-config": self = .checkConfiguration(try rest.options())
        case "machines": self = .machines(try rest.options())
        case "contract": self = .contract(comparedWith: try rest.take("--check"), try rest.options())
        case "types" where !rest.asksForHelp:
            let languages = TypesLanguage.allCases.filter { rest.take(switch: "--\($0)") }
            guard languages.count == 1 else {
                throw UsageError(description: "types requires --typescript or --swift")
            }
            let machine = try rest.take("--machine")
            if let address = rest.takeWord() {
                self = .servedTypes(languages[0], machine: machine, address: address)
            } else {
                self = .types(languages[0], machine: machine, try rest.options())
            }
        case "health": self = .health(url: try rest.take("--url"), try rest.options())
        case "sessions" where !rest.asksForHelp: self = .sessions(try rest.sessionsCommand(), try rest.options())
        case "keys" where !rest.asksForHelp: self = .keys(try rest.keysCommand(), try rest.options())
        case "backup" where !rest.asksForHelp:
            self = .sessions(.backUp(file: try rest.word("backup", "FILE")), try rest.options())
        case "replay" where !rest.asksForHelp:
            let machine = try rest.take("--machine")
            self = .replay(file: try rest.word("replay", "FILE"), machine: machine, try rest.options())
        case "types", "sessions", "keys", "backup", "replay": self = .help
        default:
            let hint = Nearest.hint(for: name, among: Self.names + additional)
            throw UsageError(description: "no such command: \(name)\(hint)")
        }
        if rest.asksForHelp { self = .help }
        try rest.finish(after: name)
    }
}

/// A key as a flag.
private struct KnownFlag {
    let name: String
    let member: String
    let isSwitch: Bool
}

/// Parses flags and their values.
private struct ArgumentReader {
    private var rest: [String]
    private let flags: [KnownFlag]
    let asksForHelp: Bool

    init(_ arguments: ArraySlice<String>, flags: [KnownFlag]) {
        self.flags = flags
        asksForHelp = arguments.contains("--help") || arguments.contains("-h")
        rest = asksForHelp ? [] : Array(arguments)
    }

    mutating func options() throws(UsageError) -> Command.Options {
        var options = Command.Options()
        while let argument = rest.first, argument.hasPrefix("--"), argument.count > 2 {
            let name = ArgumentReader.keyName(of: argument)
            guard name == "config" || name.contains(".") else {
                let hint = flag(meantBy: name).map { ", did you mean --\($0)?" } ?? ""
                throw UsageError(description: "no such flag: --\(name)\(hint)")
            }
            let value: String
            if takesSwitch(argument, named: name) { value = "true" } else { value = try self.value(of: argument) }
            if name == "config" {
                options.file = value
            } else {
                options.flags.append(Command.Flag(name: name, value: value))
            }
        }
        return options
    }

    /// Removes a flag at any position and returns its value.
    mutating func take(_ flag: String) throws(UsageError) -> String? {
        guard let index = rest.firstIndex(where: { $0 == flag || $0.hasPrefix("\(flag)=") }) else { return nil }
        let before = rest[..<index]
        rest.removeFirst(index)
        let value = try value(of: rest[0])
        rest = before + rest
        return value
    }

    /// Removes a flag that has no value, at any position. Returns whether it was there.
    mutating func take(switch flag: String) -> Bool {
        guard let index = rest.firstIndex(of: flag) else { return false }
        rest.remove(at: index)
        return true
    }

    /// Removes and returns the next argument if it is not a flag.
    mutating func takeWord() -> String? { rest.first?.hasPrefix("-") == false ? rest.removeFirst() : nil }

    /// Removes and returns the next argument, which may begin with hyphens: session ids do.
    mutating func word(_ command: String, _ expected: String) throws(UsageError) -> String {
        guard !rest.isEmpty else { throw UsageError(description: "\(command) requires \(expected)") }
        return rest.removeFirst()
    }

    mutating func sessionsCommand() throws(UsageError) -> SessionsCommand {
        let name = try word("sessions", "one of \(SessionsCommand.names.joined(separator: ", "))")
        switch name {
        case "list": return .list
        case "show": return .show(try word("sessions show", "ID"))
        case "export": return .export(try word("sessions export", "ID"))
        case "import": return .importing(file: try word("sessions import", "FILE"))
        case "delete":
            if let machine = try take("--machine") { return .deleteAll(machine: machine) }
            return .delete(try word("sessions delete", "ID"))
        case "release": return .release(try word("sessions release", "ID"))
        case "check": return .check
        case "fork":
            let id = try word("sessions fork", "ID")
            guard let text = try take("--at") else { return .fork(id, at: nil) }
            guard let version = UInt64(text) else {
                throw UsageError(description: "--at: expected a version, which is a whole number, got \"\(text)\"")
            }
            return .fork(id, at: version)
        default:
            let hint = Nearest.hint(for: name, among: SessionsCommand.names)
            throw UsageError(description: "no such command: sessions \(name)\(hint)")
        }
    }

    mutating func keysCommand() throws(UsageError) -> KeysCommand {
        let name = try word("keys", "one of \(KeysCommand.names.joined(separator: ", "))")
        switch name {
        case "new": return .new(try word("keys new", "NAME"))
        case "list": return .list
        case "revoke": return .revoke(try word("keys revoke", "NAME"))
        default:
            throw UsageError(
                description: "no such command: keys \(name)\(Nearest.hint(for: name, among: KeysCommand.names))")
        }
    }

    func finish(after command: String) throws(UsageError) {
        guard let extra = rest.first else { return }
        throw UsageError(description: "\(command): unexpected argument \"\(extra)\"")
    }

    /// Returns the name of a flag without its leading hyphens. Keys can also be written with hyphens: `tls.self-signed`
    /// is `tls.selfSigned`.
    private static func keyName(of argument: String) -> String {
        let name = argument.dropFirst(2).prefix { $0 != "=" }
        let words = name.split(separator: "-", omittingEmptySubsequences: false)
        guard name.contains("."), words.allSatisfy({ !$0.isEmpty }), let first = words.first else {
            return String(name)
        }
        return first + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// Returns the flag that the operator probably meant: a key without its section, such as `--port` for
    /// `--http.port`, or a misspelt name, or both. If several sections contain the name, the first key is returned.
    private func flag(meantBy name: String) -> String? {
        let member = ArgumentReader.keyName(of: "--.\(name)").dropFirst()
        if let key = flags.first(where: { $0.member.lowercased() == member.lowercased() }) { return key.name }
        if let flag = Nearest.name(
            for: name, among: ["check", "config", "machine", "swift", "typescript", "url"] + flags.map(\.name))
        {
            return flag
        }
        return Nearest.name(for: String(member), among: flags.map(\.member)).flatMap { nearest in
            flags.first { $0.member == nearest }?.name
        }
    }

    /// Consumes the flag of a Boolean key without a value, which means true.
    private mutating func takesSwitch(_ argument: String, named name: String) -> Bool {
        guard !argument.contains("="), flags.contains(where: { $0.name == name && $0.isSwitch }) else { return false }
        if let next = rest.dropFirst().first, Bool(next) != nil { return false }
        rest.removeFirst()
        return true
    }

    private mutating func value(of argument: String) throws(UsageError) -> String {
        rest.removeFirst()
        if let equals = argument.firstIndex(of: "=") {
            return String(argument[argument.index(after: equals)...])
        }
        guard let value = rest.first else { throw UsageError(description: "\(argument) requires a value") }
        rest.removeFirst()
        return value
    }
}
