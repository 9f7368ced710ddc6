import Contract
import Testing

@testable import Granary

struct CommandTests {
    private func command(_ arguments: [String]) throws(UsageError) -> Command {
        try Command(arguments: arguments, table: .service)
    }

    @Test func `types are requested in a language, for one machine or for all`() throws {
        #expect(
            try Command(arguments: ["types", "--typescript"], table: .service)
                == .types(.typescript, machine: nil, .init()))
        #expect(
            try Command(arguments: ["types", "--machine", "a", "--swift"], table: .service)
                == .types(.swift, machine: "a", .init()))
        for arguments in [["http://a", "--swift", "--machine", "b"], ["--machine=b", "--swift", "http://a"]] {
            #expect(try command(["types"] + arguments) == .servedTypes(.swift, machine: "b", address: "http://a"))
        }
        #expect(throws: UsageError(description: "types: unexpected argument \"--http.port\"")) {
            try command(["types", "--swift", "http://a", "--http.port", "1"])
        }
        #expect(throws: UsageError(description: "types: unexpected argument \"http://b\"")) {
            try command(["types", "--swift", "http://a", "http://b"])
        }
        for languages in [[], ["--swift", "--typescript"]] {
            #expect(throws: UsageError(description: "types requires --typescript or --swift")) {
                try Command(arguments: ["types"] + languages, table: .service)
            }
        }
        #expect(try Command(arguments: ["types", "--help"], table: .service) == .help)
    }

    @Test func `serve accepts a flag for each key and a configuration file`() throws {
        let parsed = try command(["serve", "--http.port", "9000", "--config", "a.json5", "--http.host=::1"])
        #expect(
            parsed
                == .serve(
                    Command.Options(
                        file: "a.json5",
                        flags: [.init(name: "http.port", value: "9000"), .init(name: "http.host", value: "::1")])))
    }

    @Test func `serve is the default command`() throws {
        #expect(try command([]) == .serve(.init()))
        #expect(
            try command(["--http.port=1"]) == .serve(.init(flags: [.init(name: "http.port", value: "1")])))
    }

    @Test(arguments: [["--help"], ["-h"], ["help"], ["serve", "--help"], ["serve", "--http.port", "1", "-h"]])
    func `help is recognized at any position`(arguments: [String]) throws {
        #expect(try command(arguments) == .help)
    }

    @Test func `the other commands are recognized`() throws {
        #expect(try command(["--version"]) == .version)
        #expect(try command(["--version", "--verbose"]) == .provenance)
        #expect(try command(["version", "--verbose"]) == .provenance)
        #expect(try command(["--version", "--bom"]) == .billOfMaterials)
        #expect(throws: UsageError.self) { try command(["--version", "--verbose", "--verbose"]) }
        #expect(throws: UsageError.self) { try command(["--verbose"]) }
        #expect(try command(["check-config", "--config=x"]) == .checkConfiguration(.init(file: "x")))
        #expect(try command(["print-defaults"]) == .printDefaults)
        #expect(try command(["health"]) == .health(url: nil, .init()))
        #expect(
            try command(["health", "--url", "http://x", "--http.port", "1"])
                == .health(url: "http://x", .init(flags: [.init(name: "http.port", value: "1")])))
    }

    @Test func `contract prints the contract or compares it with a file`() throws {
        #expect(try command(["contract"]) == .contract(comparedWith: nil, .init()))
        #expect(
            try command(["contract", "--check", "a.json", "--config=b"])
                == .contract(comparedWith: "a.json", .init(file: "b")))
        #expect(throws: UsageError(description: "--check requires a value")) { try command(["contract", "--check"]) }
    }

    @Test func `a boolean flag needs no value, and its words may be hyphenated`() throws {
        let flags: (String...) throws -> [Command.Flag] = { arguments in
            guard case .serve(let options) = try command(arguments) else { return [] }
            return options.flags
        }
        let on = Command.Flag(name: "tls.selfSigned", value: "true")
        let port = Command.Flag(name: "tls.port", value: "1")
        #expect(try flags("--tls.selfSigned") == [on])
        #expect(try flags("--tls.self-signed", "--tls.port", "1") == [on, port])
        #expect(try flags("--tls.self-signed=false") == [.init(name: "tls.selfSigned", value: "false")])
        #expect(try flags("--tls.self-signed", "false") == [.init(name: "tls.selfSigned", value: "false")])
        #expect(try flags("--tls.self-signed", "true", "--tls.port=1") == [on, port])
        #expect(try flags("--http.max-head-bytes", "1KiB") == [.init(name: "http.maxHeadBytes", value: "1KiB")])
    }

    @Test func `an empty value and a value that looks like a flag are accepted`() throws {
        #expect(
            try command(["serve", "--service.token=", "--http.port", "--1"])
                == .serve(
                    .init(flags: [.init(name: "service.token", value: ""), .init(name: "http.port", value: "--1")])))
    }

    @Test(arguments: [
        (["sreve"], "no such command: sreve, did you mean serve?"),
        (["serve", "now"], "serve: unexpected argument \"now\""),
        (["serve", "--port", "1"], "no such flag: --port, did you mean --http.port?"),
        (["serve", "--prot=1"], "no such flag: --prot, did you mean --http.port?"),
        (["serve", "--self-signed"], "no such flag: --self-signed, did you mean --tls.selfSigned?"),
        (["serve", "--colour"], "no such flag: --colour"),
        (["serve", "--confg", "1"], "no such flag: --confg, did you mean --config?"),
        (["serve", "--http.port"], "--http.port requires a value"),
        (["print-defaults", "x"], "print-defaults: unexpected argument \"x\""),
    ])
    func `an invalid argument is named in the error`(arguments: [String], message: String) {
        #expect(throws: UsageError(description: message)) { try command(arguments) }
    }

    @Test func `the help lists every key with its environment variable`() {
        let help = Usage.text(program: "service", table: .service)
        #expect(help.contains("service check-config"))
        for key in ConfigurationTable.service.keys {
            #expect(help.contains("--\(key.name) "))
            #expect(help.contains(key.environmentName))
        }
    }
}
