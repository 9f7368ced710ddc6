import Testing

@testable import Granary

struct CommandTests {
    @Test func `flags of keys and a file are options of serve`() throws {
        let command = try Command(arguments: ["serve", "--http.port", "9000", "--config", "a.json5", "--http.host=::1"])
        #expect(
            command
                == .serve(
                    Command.Options(
                        file: "a.json5",
                        flags: [.init(name: "http.port", value: "9000"), .init(name: "http.host", value: "::1")])))
    }

    @Test func `without the name of a command it is serve`() throws {
        #expect(try Command(arguments: []) == .serve(.init()))
        #expect(
            try Command(arguments: ["--http.port=1"]) == .serve(.init(flags: [.init(name: "http.port", value: "1")])))
    }

    @Test(arguments: [["--help"], ["-h"], ["help"], ["serve", "--help"], ["serve", "--http.port", "1", "-h"]])
    func `help is understood wherever it stands`(arguments: [String]) throws {
        #expect(try Command(arguments: arguments) == .help)
    }

    @Test func `the other commands are understood`() throws {
        #expect(try Command(arguments: ["--version"]) == .version)
        #expect(try Command(arguments: ["check-config", "--config=x"]) == .checkConfiguration(.init(file: "x")))
        #expect(try Command(arguments: ["print-defaults"]) == .printDefaults)
        #expect(try Command(arguments: ["health"]) == .health(url: nil, .init()))
        #expect(
            try Command(arguments: ["health", "--url", "http://x", "--http.port", "1"])
                == .health(url: "http://x", .init(flags: [.init(name: "http.port", value: "1")])))
    }

    @Test func `a flag of a key that is true or false may stand alone, and words may be hyphened`() throws {
        let flags: (String...) throws -> [Command.Flag] = { arguments in
            guard case .serve(let options) = try Command(arguments: arguments) else { return [] }
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

    @Test func `an empty value and a value that looks like a flag are values`() throws {
        #expect(
            try Command(arguments: ["serve", "--github.token=", "--http.port", "--1"])
                == .serve(
                    .init(flags: [.init(name: "github.token", value: ""), .init(name: "http.port", value: "--1")])))
    }

    @Test(arguments: [
        (["sreve"], "no such command: sreve, did you mean serve?"),
        (["serve", "now"], "serve takes no argument \"now\""),
        (["serve", "--port", "1"], "no such flag: --port, did you mean --http.port?"),
        (["serve", "--prot=1"], "no such flag: --prot, did you mean --http.port?"),
        (["serve", "--self-signed"], "no such flag: --self-signed, did you mean --tls.selfSigned?"),
        (["serve", "--colour"], "no such flag: --colour"),
        (["serve", "--confg", "1"], "no such flag: --confg, did you mean --config?"),
        (["serve", "--http.port"], "--http.port needs a value"),
        (["print-defaults", "x"], "print-defaults takes no argument \"x\""),
    ])
    func `what is not understood is named`(arguments: [String], message: String) {
        #expect(throws: UsageError(description: message)) { try Command(arguments: arguments) }
    }

    @Test func `the help names every key with its variable`() {
        let help = Usage.text(program: "granary")
        for key in ConfigurationKey.all {
            #expect(help.contains("--\(key.name) "))
            #expect(help.contains(key.environmentName))
        }
    }
}
