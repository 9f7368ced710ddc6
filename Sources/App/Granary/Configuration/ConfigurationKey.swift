/// A configurable value: its name, its place in a configuration value, its format and its help.
///
/// The default is the value that the configuration has before any source is applied. A program registers its own keys
/// for a `Settings` type with ``serve(name:version:page:defaults:authenticator:settings:keys:_:)``:
///
/// ```swift
/// struct Settings: Sendable {
///     var greeting = "Hello"
/// }
///
/// let keys = [
///     ConfigurationKey<Settings>("app.greeting", \.greeting, .text, "The text at the top of the page.")
/// ]
/// ```
///
/// Operators set this key with `--app.greeting`, with the environment variable `GRANARY_APP_GREETING`, or with
/// `greeting` in the section `app` of a configuration file.
public struct ConfigurationKey<Root>: Sendable {
    /// The section and the name within it, such as `http.port`.
    public let name: String
    /// One or two sentences about the effect of the key, for the help and the file of defaults.
    public let help: String
    /// A description of valid values, including bounds and units.
    let expectation: String
    /// Whether the values are true and false.
    let isSwitch: Bool

    private let parse: @Sendable (ConfigurationInput) -> (@Sendable (inout Root) -> Void)?
    private let show: @Sendable (Root) -> (text: String, literal: String)
    private let invalidPart: @Sendable (ConfigurationInput) -> (expectation: String, part: String)?

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - name: The section and the name within it, separated by a dot.
    ///   - path: The property that the key sets.
    ///   - format: The format of the values, which also validates them.
    ///   - help: One or two sentences about the effect of the key.
    public init<Value>(
        _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ format: ConfigurationFormat<Value>,
        _ help: String
    ) {
        self.name = name
        self.help = help
        expectation = format.expectation
        isSwitch = format.isSwitch
        invalidPart = format.invalidPart
        // The types of values are erased here, so that keys of all types can be in one table.
        parse = { input in
            guard let value = format.read(input) else { return nil }
            return { $0[keyPath: path] = value }
        }
        show = { root in
            let value = root[keyPath: path]
            return (format.text(value), format.literal(value))
        }
    }

    /// Creates a key of a configuration that contains the configuration of another key.
    init<Part>(_ key: ConfigurationKey<Part>, in path: any WritableKeyPath<Root, Part> & Sendable) {
        name = key.name
        help = key.help
        expectation = key.expectation
        isSwitch = key.isSwitch
        invalidPart = key.invalidPart
        parse = { input in
            guard let assign = key.parse(input) else { return nil }
            return { assign(&$0[keyPath: path]) }
        }
        show = { key.show($0[keyPath: path]) }
    }

    /// The section of the key, such as `http`.
    var section: String { String(name.prefix { $0 != "." }) }

    /// The name of the key within its section, such as `port`.
    var member: String { String(name.drop { $0 != "." }.dropFirst()) }

    /// The environment variable that sets the key, such as `GRANARY_HTTP_MAX_HEAD_BYTES` for `http.maxHeadBytes`.
    var environmentName: String {
        let name = Array(name.utf8)
        let (lowercase, uppercase) = (UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"))
        var result = Array("GRANARY_".utf8)
        for (index, letter) in name.enumerated() {
            // A word begins after a lowercase letter, and with the last of several capitals: `IN_A_ROW`, `BASE_URL`.
            if index > 0, uppercase.contains(letter) {
                let isLast = index + 1 < name.count && lowercase.contains(name[index + 1])
                let previous = name[index - 1]
                if lowercase.contains(previous) || uppercase.contains(previous) && isLast {
                    result.append(UInt8(ascii: "_"))
                }
            }
            switch letter {
            case UInt8(ascii: "."): result.append(UInt8(ascii: "_"))
            case lowercase: result.append(letter - 0x20)
            default: result.append(letter)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Sets the value. Returns false, without changing the configuration, if the input is invalid.
    func assign(_ input: ConfigurationInput, to root: inout Root) -> Bool {
        guard let assign = parse(input) else { return false }
        assign(&root)
        return true
    }

    /// Returns a message about an invalid input that states the expected and the received value.
    func complaint(about input: ConfigurationInput) -> String {
        guard let (expectation, part) = invalidPart(input) else {
            return "expected \(expectation), got \(input.description)"
        }
        return "expected \(expectation), got \(JSON5Text.quoted(String(part.prefix(80))))"
    }

    /// Returns the value as in a flag. A secret is shown as `set` or `unset`.
    func text(in root: Root) -> String { show(root).text }

    /// Returns the value as in a configuration file. A secret is shown as `null`.
    func literal(in root: Root) -> String { show(root).literal }
}
