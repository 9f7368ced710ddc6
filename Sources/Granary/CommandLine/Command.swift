import MachineHost

/// What the operator asked for.
enum Command: Equatable {
    case serve(Options)
    case checkConfiguration(Options)
    case printDefaults
    case machines(Options)
    case health(url: String?, Options)
    case help
    case version

    /// Where a configuration comes from, as far as the command line says it.
    struct Options: Equatable {
        /// The path after `--config`.
        var file: String?
        /// The keys that were set by flags, in order; the last of one name counts.
        var flags: [Flag] = []
    }

    /// One `--section.key value`.
    struct Flag: Equatable {
        var name: String
        var value: String
    }
}

/// A command line that cannot be understood.
struct UsageError: Error, Equatable, CustomStringConvertible {
    var description: String
}

extension Command {
    private static let names = ["serve", "check-config", "print-defaults", "machines", "health", "help", "version"]

    /// Understands the arguments that follow the program's name. Without a command's name they are those of `serve`.
    init(arguments: [String]) throws(UsageError) {
        let first = arguments.first ?? "serve"
        let isNamed = !first.hasPrefix("-") || ["--help", "-h", "--version"].contains(first)
        let name = isNamed ? first : "serve"
        var rest = ArgumentReader(arguments.dropFirst(isNamed ? 1 : 0))
        switch name {
        case "help", "--help", "-h": self = .help
        case "version", "--version": self = .version
        case "print-defaults": self = .printDefaults
        case "serve": self = .serve(try rest.options())
        case "check-config": self = .checkConfiguration(try rest.options())
        case "machines": self = .machines(try rest.options())
        case "health": self = .health(url: try rest.take("--url"), try rest.options())
        default:
            throw UsageError(description: "no such command: \(name)\(Nearest.hint(for: name, among: Self.names))")
        }
        if rest.asksForHelp { self = .help }
        try rest.finish(after: name)
    }
}

/// Takes arguments apart.
private struct ArgumentReader {
    private var rest: [String]
    let asksForHelp: Bool

    init(_ arguments: ArraySlice<String>) {
        asksForHelp = arguments.contains("--help") || arguments.contains("-h")
        rest = asksForHelp ? [] : Array(arguments)
    }

    mutating func options() throws(UsageError) -> Command.Options {
        var options = Command.Options()
        while let argument = rest.first, argument.hasPrefix("--"), argument.count > 2 {
            let name = ArgumentReader.keyName(of: argument)
            guard name == "config" || name.contains(".") else {
                let hint = ArgumentReader.flag(meantBy: name).map { ", did you mean --\($0)?" } ?? ""
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

    /// The value of a flag that may stand anywhere.
    mutating func take(_ flag: String) throws(UsageError) -> String? {
        guard let index = rest.firstIndex(where: { $0 == flag || $0.hasPrefix("\(flag)=") }) else { return nil }
        let before = rest[..<index]
        rest.removeFirst(index)
        let value = try value(of: rest[0])
        rest = before + rest
        return value
    }

    func finish(after command: String) throws(UsageError) {
        guard let extra = rest.first else { return }
        throw UsageError(description: "\(command) takes no argument \"\(extra)\"")
    }

    /// The name behind a flag's hyphens. A key may also be written with hyphens, as other programs have it:
    /// `tls.self-signed` is `tls.selfSigned`.
    private static func keyName(of argument: String) -> String {
        let name = argument.dropFirst(2).prefix { $0 != "=" }
        let words = name.split(separator: "-", omittingEmptySubsequences: false)
        guard name.contains("."), words.allSatisfy({ !$0.isEmpty }), let first = words.first else {
            return String(name)
        }
        return first + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The flag that somebody probably meant: a key without its section, `--port` for `--http.port`, or a name with a typing
    /// error, also in both ways. Of several keys with the same name in their sections it is the first.
    private static func flag(meantBy name: String) -> String? {
        let keys = ConfigurationKey.all
        let member = keyName(of: "--.\(name)").dropFirst()
        if let key = keys.first(where: { $0.member.lowercased() == member.lowercased() }) { return key.name }
        if let flag = Nearest.name(for: name, among: ["config", "url"] + keys.map(\.name)) { return flag }
        return Nearest.name(for: String(member), among: keys.map(\.member)).flatMap { nearest in
            keys.first { $0.member == nearest }?.name
        }
    }

    /// A flag of a key that is true or false may stand alone, and then it is true.
    private mutating func takesSwitch(_ argument: String, named name: String) -> Bool {
        guard ConfigurationKey.named(name)?.isSwitch == true, !argument.contains("=") else { return false }
        if let next = rest.dropFirst().first, Bool(next) != nil { return false }
        rest.removeFirst()
        return true
    }

    private mutating func value(of argument: String) throws(UsageError) -> String {
        rest.removeFirst()
        if let equals = argument.firstIndex(of: "=") {
            return String(argument[argument.index(after: equals)...])
        }
        guard let value = rest.first else { throw UsageError(description: "\(argument) needs a value") }
        rest.removeFirst()
        return value
    }
}
