import HTTPServer
import Testing

@Suite struct InheritedSocketsTests {
    private func read(_ environment: [String: String]) throws -> InheritedSockets? {
        try InheritedSockets(environment: environment, process: 42)
    }

    @Test func `a supervisor's sockets begin at descriptor 3 and have names`() throws {
        let found = try read(["LISTEN_PID": "42", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "http:admin+http"])
        let sockets = [
            InheritedSockets.Socket(descriptor: 3, name: "http"),
            InheritedSockets.Socket(descriptor: 4, name: "admin+http"),
        ]
        #expect(found == InheritedSockets(origin: .supervisor, sockets: sockets))
        #expect(try read(["LISTEN_PID": "42", "LISTEN_FDS": "1"])?.sockets.map(\.name) == [""])
    }

    @Test(arguments: [
        [:], ["LISTEN_FDS": "1"], ["LISTEN_PID": "42"], ["LISTEN_PID": "41", "LISTEN_FDS": "1"],
        ["LISTEN_PID": "42", "LISTEN_FDS": "0"],
    ])
    func `variables for another process are ignored`(_ environment: [String: String]) throws {
        #expect(try read(environment) == nil)
    }

    @Test(arguments: [
        ["LISTEN_PID": "me", "LISTEN_FDS": "1"], ["LISTEN_PID": "42", "LISTEN_FDS": "some"],
        ["LISTEN_PID": "42", "LISTEN_FDS": "-1"], ["LISTEN_PID": "42", "LISTEN_FDS": "4097"],
        ["LISTEN_PID": "42", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "http"],
    ])
    func `invalid variables are rejected`(_ environment: [String: String]) {
        let error = #expect(throws: HTTPServerError.self) { try read(environment) }
        #expect(error?.reason == .socketInvalid)
    }

    @Test(arguments: [InheritedSockets.Origin.supervisor, .predecessor])
    func `inherited sockets are parsed as they were formatted`(_ origin: InheritedSockets.Origin) {
        let names = ["127.0.0.1:8080", "[::]:0", "unix:/run/with space/a=b%.sock", "unix:/tmp/ü\n", ""]
        let sockets = names.enumerated().map {
            InheritedSockets.Socket(descriptor: 100 - Int32($0.offset), name: $0.element)
        }
        let text = InheritedSockets(origin: origin, sockets: sockets).text(first: 4)
        #expect(text.hasPrefix("\(origin) 4=127.0.0.1:8080 5="))
        let read = InheritedSockets(text: text)
        #expect(read?.origin == origin)
        #expect(read?.sockets.map(\.name) == names)
        #expect(read?.sockets.map(\.descriptor) == [4, 5, 6, 7, 8])
    }

    @Test(arguments: [
        "", "nobody 4=a", "supervisor 4", "supervisor x=a", "supervisor 2=a", "supervisor 4=%4", "supervisor  4=a",
    ])
    func `a malformed list is rejected`(_ text: String) {
        #expect(InheritedSockets(text: text) == nil)
    }
}
