import HTTP1
import HTTPServer

/// What the command line asks for.
struct TargetOptions {
    /// How it serves, but for TLS.
    var server = HTTPServerConfiguration(port: 8080)
    /// The files of certificates in PEM with their keys.
    var certificates: [(chain: String, key: String)] = []
    /// Whether to make a certificate for this run.
    var isSelfSigned = false
    /// The port for TLS.
    var securePort: UInt16 = 8443
    /// How long a handshake may take.
    var handshakeTimeout = Duration.seconds(10)
    /// Whether only the help was asked for.
    var wantsHelp = false

    /// Whether TLS is spoken.
    var isSecure: Bool { isSelfSigned || !certificates.isEmpty }

    /// Reads the arguments behind the program's name.
    init(arguments: [String]) throws(TargetUsageError) {
        var chains: [String] = []
        var keys: [String] = []
        var rest = arguments[...]
        while let flag = rest.popFirst() {
            switch flag {
            case "--help": wantsHelp = true
            case "--self-signed": isSelfSigned = true
            case "--certificate": chains.append(try TargetOptions.value(of: flag, &rest))
            case "--key": keys.append(try TargetOptions.value(of: flag, &rest))
            default: try take(flag, &rest)
            }
        }
        guard chains.count == keys.count else {
            throw TargetUsageError(
                description: "--certificate came \(chains.count) times and --key \(keys.count): they belong together.")
        }
        guard chains.isEmpty || !isSelfSigned else {
            throw TargetUsageError(
                description: "--self-signed makes a certificate, --certificate brings one: not both.")
        }
        certificates = Array(zip(chains, keys))
    }

    private mutating func take(_ flag: String, _ rest: inout ArraySlice<String>) throws(TargetUsageError) {
        switch flag {
        case "--host": server.host = try TargetOptions.value(of: flag, &rest)
        case "--port": server.port = try TargetOptions.number(of: flag, 0...UInt16.max, &rest)
        case "--tls-port": securePort = try TargetOptions.number(of: flag, 0...UInt16.max, &rest)
        case "--loops": server.loopCount = try TargetOptions.number(of: flag, 0...1024, &rest)
        case "--body-limit": server.limits.bodyBytes = try TargetOptions.number(of: flag, 0...(1 << 30), &rest)
        case "--head-timeout": server.headTimeout = try TargetOptions.duration(of: flag, &rest)
        case "--body-timeout": server.bodyTimeout = try TargetOptions.duration(of: flag, &rest)
        case "--idle-timeout": server.idleTimeout = try TargetOptions.duration(of: flag, &rest)
        case "--answer-timeout": server.answerTimeout = try TargetOptions.duration(of: flag, &rest)
        case "--write-timeout": server.writeTimeout = try TargetOptions.duration(of: flag, &rest)
        case "--drain-timeout": server.drainTimeout = try TargetOptions.duration(of: flag, &rest)
        case "--handshake-timeout": handshakeTimeout = try TargetOptions.duration(of: flag, &rest)
        default: throw TargetUsageError(description: "\(flag) is no option.")
        }
    }

    private static func value(of flag: String, _ rest: inout ArraySlice<String>) throws(TargetUsageError) -> String {
        guard let value = rest.popFirst() else { throw TargetUsageError(description: "\(flag) expects a value.") }
        return value
    }

    private static func number<Number: FixedWidthInteger>(
        of flag: String, _ range: ClosedRange<Number>, _ rest: inout ArraySlice<String>
    ) throws(TargetUsageError) -> Number {
        let text = try value(of: flag, &rest)
        guard let number = Number(text), range.contains(number) else {
            throw TargetUsageError(
                description: "\(flag) expects a number from \(range.lowerBound) to \(range.upperBound), got \(text).")
        }
        return number
    }

    private static func duration(
        of flag: String, _ rest: inout ArraySlice<String>
    ) throws(TargetUsageError) -> Duration {
        let text = try value(of: flag, &rest)
        guard let seconds = Double(text), (0.001...86_400).contains(seconds) else {
            throw TargetUsageError(description: "\(flag) expects seconds, from 0.001 to 86400, got \(text).")
        }
        return .milliseconds(Int(seconds * 1000))
    }
}

/// A command line that cannot be understood.
struct TargetUsageError: Error, Equatable, CustomStringConvertible {
    let description: String
}

extension TargetOptions {
    /// What `--help` prints.
    static let help = """
        http-target [options]: serves fixed routes for conformance suites, load generators and scanners.

          --host ADDRESS          the numeric address to listen on (127.0.0.1)
          --port N                the port for cleartext, 0 for a free one (8080)
          --tls-port N            the port for TLS, 0 for a free one (8443)
          --certificate FILE      a certificate in PEM, its issuers behind it; may come again
          --key FILE              its private key in PEM
          --self-signed           make a certificate for this run
          --loops N               event loops, 0 for one for each processor (0)
          --body-limit BYTES      the largest content of a request
          --handshake-timeout S   --head-timeout S   --body-timeout S
          --answer-timeout S      --idle-timeout S   --write-timeout S  --drain-timeout S

        / is 2,048 bytes; /echo answers every method with the request's content; /headers and /cookies show what came;
        /slow?seconds= waits; /large?bytes= is made while it is sent; /events?interval=&count= is a stream of events with
        ids. SIGTERM and SIGINT end it once what is under way is answered.
        """
}
