import HTTPModel
import HTTPServerTesting
import TLS
import Testing

@testable import HTTPServer

@Suite struct HostPolicyTests {
    private func policy(
        _ listeners: [String], allowed: Set<String> = [], preventsRebinding: Bool = true
    ) throws -> HostPolicy {
        var configuration = HTTPServerConfiguration()
        configuration.allowedHosts = allowed
        configuration.preventsRebinding = preventsRebinding
        return HostPolicy(configuration, listeners: try listeners.map { try HTTPListener($0) })
    }

    private func peer(_ role: ListenerRole = .public, isByUnixSocket: Bool = false) -> HTTPPeer {
        HTTPPeer(address: isByUnixSocket ? "unix" : "127.0.0.1", port: 0, role: role, isByUnixSocket: isByUnixSocket)
    }

    /// Hosts that name only this machine.
    private static let loopback = [
        "localhost", "LocalHost:8080", "localhost.", "localhost.:1", "app.localhost", "a.b.localhost:80", "127.0.0.1",
        "127.0.0.1:9999", "127.0.0.1.", "127.255.3.4:1", "[::1]", "[::1]:8080", "[0:0::1]", "[::ffff:127.0.0.1]",
        "localhost:",
    ]

    private static let foreign = [
        "app.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "notlocalhost",
        "localhost.localdomain", "10.0.0.1", "192.168.0.1:8080", "0.0.0.0", "128.0.0.1", "[::]", "[::2]",
        "[::ffff:10.0.0.1]",
        "2130706433", "0x7f000001", "127.1", "localhos%74", "[fe80::1]",
    ]

    @Test(arguments: [
        ["http://127.0.0.1:80"], ["http://[::1]:80"], ["http://127.8.8.8:80", "https://[::1]:443"],
        ["http://127.0.0.1:80", "unix:/a"], ["http://127.0.0.1:80", "admin+http://0.0.0.0:9090"],
        ["https://[::ffff:127.0.0.1]:443"],
    ])
    func `while all public listeners are loopback, only names of this machine are accepted`(
        _ listeners: [String]
    ) throws {
        let policy = try policy(listeners)
        for host in HostPolicyTests.loopback { #expect(policy.accepts(host, from: peer()), "\(host)") }
        for host in HostPolicyTests.foreign { #expect(!policy.accepts(host, from: peer()), "\(host)") }
        // Every browser sends a host.
        #expect(policy.accepts("", from: peer()))
    }

    @Test(arguments: [
        ["http://0.0.0.0:80"], ["http://[::]:80"], ["http://127.0.0.1:80", "https://192.0.2.1:443"], ["unix:/a"],
        ["admin+http://127.0.0.1:80"], ["http://10.0.0.1:80"], [],
    ])
    func `on other listeners, any host is accepted until some are listed`(_ listeners: [String]) throws {
        let open = try policy(listeners)
        for host in HostPolicyTests.loopback + HostPolicyTests.foreign { #expect(open.accepts(host, from: peer())) }
        let listed = try policy(listeners, allowed: ["app.example"])
        for host in HostPolicyTests.loopback + ["app.example", "10.0.0.1", "[::2]:80"] {
            #expect(listed.accepts(host, from: peer()), "\(host)")
        }
        for host in ["evil.example", "x.app.example", "localhost.evil.example"] {
            #expect(!listed.accepts(host, from: peer()), "\(host)")
        }
    }

    @Test(arguments: [
        ("App.Example", "app.example"), ("app.example", "APP.EXAMPLE:8443"), ("app.example.", "app.example"),
        ("app.example", "app.example.:80"), ("app.example:8443", "app.example"),
        ("[2001:DB8::7]", "[2001:db8:0::7]:80"),
        ("2001:db8::7", "[2001:db8::7]"), ("192.0.2.7", "192.0.2.7:80"), ("[2001:db8::7]:443", "[2001:db8::7]"),
        ("*", "anything.example"), ("*", "localhost"),
    ])
    func `a listed host matches in any case, with any port and a final dot`(_ entry: String, _ host: String) throws {
        for listener in ["http://127.0.0.1:80", "http://0.0.0.0:80"] {
            for preventsRebinding in [false, true] {
                let policy = try policy([listener], allowed: [entry], preventsRebinding: preventsRebinding)
                #expect(policy.accepts(host, from: peer()))
                #expect(policy.accepts(host, from: peer(.admin)))
                #expect(policy.accepts(host, from: peer(isByUnixSocket: true)))
                #expect(policy.accepts("evil.example", from: peer()) == (entry == "*"))
            }
        }
    }

    @Test func `without rebinding prevention, only the list counts`() throws {
        let open = try policy(["http://127.0.0.1:80"], preventsRebinding: false)
        #expect(open.accepts("evil.example", from: peer()))
        let listed = try policy(["http://127.0.0.1:80"], allowed: ["app.example"], preventsRebinding: false)
        for host in ["evil.example", "localhost", "127.0.0.1", ""] { #expect(!listed.accepts(host, from: peer())) }
    }

    @Test func `a request on a Unix socket may name any host until some are listed`() throws {
        let policy = try policy(["http://127.0.0.1:80", "unix:/a"])
        #expect(policy.accepts("app.example", from: peer(isByUnixSocket: true)))
        #expect(!policy.accepts("app.example", from: peer()))
        let listed = try self.policy(["http://127.0.0.1:80", "unix:/a"], allowed: ["app.example"])
        #expect(listed.accepts("localhost", from: peer(isByUnixSocket: true)))
        #expect(!listed.accepts("evil.example", from: peer(isByUnixSocket: true)))
    }

    @Test func `operators reach the admin listener by any host, or with a list by addresses`() throws {
        let open = try policy(["http://127.0.0.1:80", "admin+http://127.0.0.1:90"])
        #expect(open.accepts("metrics.example", from: peer(.admin)))
        #expect(!open.accepts("metrics.example", from: peer()))
        let listed = try policy(["http://127.0.0.1:80", "admin+http://127.0.0.1:90"], allowed: ["app.example"])
        for host in ["10.0.0.1:90", "[::2]", "localhost", "app.example"] {
            #expect(listed.accepts(host, from: peer(.admin)), "\(host)")
        }
        #expect(!listed.accepts("metrics.example", from: peer(.admin)))
    }

    @Test func `a refusal states what is accepted, what was received and what to do`() throws {
        let host = "evil.example:8080"
        let problems = try [
            policy(["http://127.0.0.1:80"]), policy(["http://0.0.0.0:80"], allowed: ["app.example"]),
            policy(["http://127.0.0.1:80"], allowed: ["app.example"], preventsRebinding: false),
        ].map { $0.refusal(of: host) }
        for problem in problems {
            #expect(problem.status == .misdirectedRequest)
            #expect(problem.detail.contains("got \"\(host)\""))
            #expect(problem.detail.contains("http.allowedHosts"))
        }
        #expect(problems[0].detail.contains("localhost or a loopback address"))
        #expect(Set(problems.map(\.detail)).count == 3)
        #expect(problems[0] != (try policy(["http://127.0.0.1:80"]).refusal(of: "")))
        let long = String(repeating: "a", count: 10_000)
        #expect(try policy(["http://127.0.0.1:80"]).refusal(of: long).detail.utf8.count < 500)
    }

    @Test(arguments: [
        ("app.example", true), ("App.Example.:80", true), ("[::1]", true), ("::1", true), ("10.0.0.1", true),
        ("*", true),
        ("_a-b", true), ("", false), (".", false), ("a b", false), ("http://a", false), ("a/b", false), ("u@a", false),
        ("*.a", false), ("[x]", false), ("ä.example", false),
    ])
    func `a configuration may list names, addresses and the asterisk`(_ text: String, _ isValid: Bool) {
        #expect(HTTPServerConfiguration.canAllow(host: text) == isValid)
    }

    private func source(_ hosts: [String]) throws -> TLSContextSource {
        try TLSContextSource(TLSConfiguration(identities: [.selfSigned(hosts: hosts)]))
    }

    private func policy(
        _ listeners: [String], _ source: TLSContextSource, change: (inout HTTPServerConfiguration) -> Void = { _ in }
    ) throws -> HostPolicy {
        var configuration = HTTPServerConfiguration()
        configuration.preventsRebinding = true
        configuration.tls = HTTPServerTLS(source: source)
        change(&configuration)
        return HostPolicy(configuration, listeners: try listeners.map { try HTTPListener($0) })
    }

    @Test func `on other listeners, only the names of the certificates are accepted in addition to the list`() throws {
        let source = try source(["app.example", "*.wild.example", "192.0.2.1"])
        let policy = try policy(["http://0.0.0.0:80", "https://0.0.0.0:443"], source)
        #expect(!policy.acceptsAny)
        for host in HostPolicyTests.loopback + ["App.Example:8443", "app.example.", "a.wild.example", "10.0.0.1", ""] {
            #expect(policy.accepts(host, from: peer()), "\(host)")
        }
        for host in [
            "evil.example", "x.app.example", "wild.example", "a.b.wild.example", "*.wild.example.evil.example",
        ] {
            #expect(!policy.accepts(host, from: peer()), "\(host)")
        }
        // No browser reaches these.
        #expect(policy.accepts("evil.example", from: peer(isByUnixSocket: true)))
        #expect(policy.accepts("evil.example", from: peer(.admin)))
        let listed = try self.policy(["http://0.0.0.0:80"], source) { $0.allowedHosts = ["other.example"] }
        #expect(listed.accepts("app.example", from: peer()) && listed.accepts("other.example", from: peer()))
        #expect(!listed.accepts("evil.example", from: peer()))
        #expect(listed.refusal(of: "evil.example").detail.contains("a name of the server's certificates"))
        #expect(try self.policy(["http://0.0.0.0:80"], source) { $0.allowedHosts = ["*"] }.acceptsAny)
    }

    @Test func `certificates without names, and those of loopback listeners, change nothing`() throws {
        #expect(try policy(["http://0.0.0.0:80"], source(["192.0.2.1"])).acceptsAny)
        let guarded = try policy(["https://127.0.0.1:443"], source(["app.example"]))
        #expect(!guarded.accepts("app.example", from: peer()) && guarded.accepts("localhost", from: peer()))
        let open = try policy(["http://0.0.0.0:80"], source(["app.example"])) { $0.preventsRebinding = false }
        #expect(open.acceptsAny)
    }

    @Test func `the names of a replaced certificate take effect with the next request`() throws {
        let source = try source(["old.example"])
        var policy = try policy(["https://0.0.0.0:443"], source)
        #expect(!policy.isOutdated)
        try source.replace(with: TLSConfiguration(identities: [.selfSigned(hosts: ["new.example"])]))
        #expect(policy.isOutdated && policy.accepts("old.example", from: peer()))
        policy.update()
        #expect(!policy.isOutdated && policy.accepts("new.example", from: peer()))
        #expect(!policy.accepts("old.example", from: peer()))
    }

    @Test func `a server on all addresses follows its certificates`() async throws {
        let source = try source(["old.example"])
        let server = try HTTPTestServer(
            configure: {
                ($0.host, $0.preventsRebinding, $0.loopCount) = ("0.0.0.0", true, 1)
                $0.tls = HTTPServerTLS(source: source, port: 0)
            }, respond: { _, _ in .response(HTTPResponse(status: .ok)) })
        let client = try server.connect(receiveBuffer: 0)
        func status(_ host: String) throws -> Int {
            try client.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            return try client.receiveResponse().status
        }
        #expect(try [status("old.example"), status("new.example"), status("127.0.0.1")] == [200, 421, 200])
        try source.replace(with: TLSConfiguration(identities: [.selfSigned(hosts: ["new.example"])]))
        #expect(try [status("new.example"), status("old.example")] == [200, 421])
        await server.shutdown()
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `a page of another site cannot access a server on a loopback address`(_ wire: HTTPTestWire) async throws {
        let server = try Transport.server(configure: { $0.preventsRebinding = true }) { _, _ in
            .response(HTTPResponse(status: .ok))
        }
        let client = try wire.connect(to: server)
        let hosts = ["localhost", "evil.example:8080", "127.0.0.1:1", "10.0.0.1", "[::1]", "LOCALHOST."]
        let answers = try hosts.map { try client.exchange("GET", "/", host: $0, fields: [], body: nil) }
        #expect(answers.map(\.status) == [200, 421, 200, 421, 200, 200])
        #expect(answers[1].text.contains("/problems/misdirected-request"))
        await server.shutdown()
    }

    @Test func `a host that is accepted on one listener can be rejected on another`() async throws {
        let folder = try SocketFolder()
        let listeners = try ["http://127.0.0.1:0", "unix:\(folder("a"))", "admin+http://127.0.0.1:0"].map {
            try HTTPListener($0)
        }
        let server = try HTTPTestServer(
            configure: { ($0.listeners, $0.preventsRebinding, $0.loopCount) = (listeners, true, 1) },
            respond: { _, _ in .response(HTTPResponse(status: .ok)) })
        let clients = try server.listeners.map { try server.connect(to: $0) }
        var statuses: [Int] = []
        for (client, host) in [
            (1, "app.example"), (0, "app.example"), (2, "app.example"), (0, "app.example"), (0, "localhost"),
            (0, "app.example"), (0, "localhost"),
        ] {
            try clients[client].send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            statuses.append(try clients[client].receiveResponse().status)
        }
        #expect(statuses == [200, 421, 200, 421, 200, 421, 200])
        await server.shutdown()
    }

    @Test func `an HTTP 1.0 request without a host does not come from a browser`() async throws {
        let server = try Transport.server(configure: { $0.preventsRebinding = true }) { _, _ in
            .response(HTTPResponse(status: .ok))
        }
        let client = try server.connect()
        try client.send("GET / HTTP/1.0\r\n\r\n")
        #expect(try client.receiveResponse().status == 200)
        await server.shutdown()
    }
}
