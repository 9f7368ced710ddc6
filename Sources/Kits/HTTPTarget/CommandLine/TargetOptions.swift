import HTTP1
import HTTPServer

/// The options of the command line.
struct TargetOptions {
    /// The configuration of the server, without TLS.
    var server = HTTPServerConfiguration(port: 8080)
    /// The PEM files of certificate chains and their private keys.
    var certificates: [(chain: String, key: String)] = []
    var isSelfSigned = false
    var securePort: UInt16 = 8443
    var handshakeTimeout = Duration.seconds(10)
    /// Whether to print the help and exit.
    var wantsHelp = false

    /// Whether the server listens for TLS.
    var isSecure: Bool { isSelfSigned || !certificates.isEmpty }

    /// Parses the arguments after the program's name.
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
                description:
                    "Expected one --key for each --certificate, got \(chains.count) certificates and \(keys.count) keys."
            )
        }
        guard chains.isEmpty || !isSelfSigned else {
            throw TargetUsageError(
                description: "--self-signed and --certificate exclude each other.")
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
        default: throw TargetUsageError(description: "\(flag) is not an option.")
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
            throw TargetUsageError(description: "\(flag) expects a number of seconds from 0.001 to 86400, got \(text).")
        }
        return .milliseconds(Int(seconds * 1000))
    }
}

/// An invalid command line.
struct TargetUsageError: Error, Equatable, CustomStringConvertible {
    let description: String
}

extension TargetOptions {
    /// The text that `--help` prints.
    static let help = """
        http-target [options]: serves fixed routes for conformance suites, load generators and scanners.

          --host ADDRESS          the numeric address to listen on (default 127.0.0.1)
          --port N                the cleartext port, 0 for any free port (default 8080)
          --tls-port N            the TLS port, 0 for any free port (default 8443)
          --certificate FILE      a PEM file with a certificate and its issuers; can be repeated
          --key FILE              the PEM file with its private key
          --self-signed           create a certificate for this run
          --loops N               the number of event loops, 0 for one per processor (default 0)
          --body-limit BYTES      the largest request body
          --handshake-timeout S   --head-timeout S   --body-timeout S
          --answer-timeout S      --idle-timeout S   --write-timeout S  --drain-timeout S

        / returns 2,048 bytes; /echo returns the content of the request, for any method; /headers returns the parsed
        request as JSON; /cookies returns the received cookies; /slow?seconds= delays its response; /large?bytes=
        generates content while it is sent; /events?interval=&count= is a stream of events with ids. On SIGTERM and
        SIGINT, the server completes the requests in flight and exits.
        """
}
