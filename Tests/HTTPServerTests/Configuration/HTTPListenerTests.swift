import HTTPModel
import HTTPServer
import Testing

@Suite struct HTTPListenerTests {
    @Test(arguments: [
        ("http://127.0.0.1:8080", HTTPListener(.address(host: "127.0.0.1", port: 8080))),
        ("https://[::]:8443", HTTPListener(.address(host: "::", port: 8443), isSecure: true)),
        ("admin+http://127.0.0.1:9090", HTTPListener(.address(host: "127.0.0.1", port: 9090), role: .admin)),
        ("admin+https://[::1]:0", HTTPListener(.address(host: "::1", port: 0), isSecure: true, role: .admin)),
        ("unix:/run/granary.sock", HTTPListener(.unix(path: "/run/granary.sock"))),
        ("unix:/run/g.sock?mode=0666", HTTPListener(.unix(path: "/run/g.sock", mode: 0o666))),
        ("admin+unix:/run/g.sock", HTTPListener(.unix(path: "/run/g.sock"), role: .admin)),
        ("https+unix:/run/g.sock", HTTPListener(.unix(path: "/run/g.sock"), isSecure: true)),
    ])
    func `a listener is formatted as it was parsed`(_ text: String, _ listener: HTTPListener) throws {
        #expect(try HTTPListener(text) == listener)
        #expect(listener.description == text)
    }

    @Test(arguments: [
        ("http://127.0.0.1:1", true), ("https://127.9.9.9:1", true), ("admin+http://[::1]:1", true), ("unix:/a", true),
        ("https+unix:/a", true), ("http://0.0.0.0:1", false), ("http://[::]:1", false), ("http://10.0.0.1:1", false),
        ("https://[2001:db8::1]:1", false),
    ])
    func `only loopback addresses and Unix sockets are local`(_ text: String, _ isLocal: Bool) throws {
        #expect(try HTTPListener(text).isLocal == isLocal)
    }

    @Test(arguments: [
        ("public+http://0.0.0.0:1", "http://0.0.0.0:1"), ("http+unix:/a", "unix:/a"),
        ("admin+http+unix:/a?mode=660", "admin+unix:/a"),
        ("admin+https+unix:/a?mode=0600", "admin+https+unix:/a?mode=0600"),
    ])
    func `defaults may be stated explicitly`(_ long: String, _ short: String) throws {
        #expect("\(try HTTPListener(long))" == short)
    }

    @Test(arguments: [
        ("", "http://ADDRESS:PORT"), ("127.0.0.1:8080", "http://ADDRESS:PORT"), ("ftp://127.0.0.1:1", "http://ADDRESS"),
        ("root+http://127.0.0.1:1", "http://ADDRESS"), ("admin+admin+http://127.0.0.1:1", "http://ADDRESS"),
        ("http:127.0.0.1:80", "http://ADDRESS"), ("http://127.0.0.1", "a port"), ("http://[::1]", "a port"),
        ("http://127.0.0.1:", "a port"), ("http://127.0.0.1:+1", "a port"), ("http://127.0.0.1:65536", "a port"),
        ("http://127.0.0.1:80/", "a port"), ("http://localhost:80", "a numeric address"),
        ("http://::1:80", "a numeric address"), ("http://[127.0.0.1]:80", "a numeric address"),
        ("http://:80", "a numeric address"), ("unix:run/a", "an absolute path"), ("unix:/", "an absolute path"),
        ("unix:", "an absolute path"), ("unix:/a\u{0}b", "an absolute path"), ("unix:/a?mode=8", "permissions"),
        ("unix:/a?mode=1000", "permissions"), ("unix:/a?mode=+7", "permissions"), ("unix:/a?", "permissions"),
        ("unix:/a?owner=me", "permissions"), ("unix:/" + String(repeating: "a", count: 107), "fewer than 108 bytes"),
    ])
    func `an error states what was expected`(_ text: String, _ expectation: String) {
        let error = #expect(throws: HTTPListenerError.self) { try HTTPListener(text) }
        #expect(error?.description.contains(expectation) == true, "\(String(describing: error))")
    }

    @Test func `a path of the maximum length is valid`() throws {
        let path = "/" + String(repeating: "a", count: 106)
        #expect(try HTTPListener("unix:\(path)").address.host == path)
    }
}
