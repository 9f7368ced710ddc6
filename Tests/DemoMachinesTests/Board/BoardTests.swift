import DemoMachines
import HTTPModel
import MachineHost
import MachineTesting
import Testing

/// The board that all visitors share.
struct BoardTests {
    private let host: RestartableHost

    init() throws {
        host = try RestartableHost([.board()])
    }

    private func visit() -> String { host.harness.makeSession(of: "board") }

    private func paint(_ field: Int, _ color: String, _ session: String) {
        _ = host.send(.post, session + "/inputs/paint", body: "{\"field\":\(field),\"color\":\"\(color)\"}")
    }

    private func outputs(_ session: String) -> String { host.send(.get, session + "/outputs").text }

    /// The text of a board on which the first fields have colors.
    private func fields(_ colors: String...) -> String {
        let all = colors + Array(repeating: "white", count: 16 - colors.count)
        return "\"fields\":[" + all.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    }

    private func wait() {
        host.harness.loop.advance(by: .milliseconds(200))
        host.harness.loop.run()
    }

    @Test func `every visitor sees what each of them paints`() {
        let (ada, bob) = (visit(), visit())
        paint(0, "red", ada)
        paint(1, "blue", bob)
        #expect(outputs(ada).contains(fields("red", "blue")))
        #expect(outputs(bob).contains(fields("red", "blue")))
        #expect(outputs(visit()).contains(fields("red", "blue")))
    }

    @Test func `a field that does not exist has no effect`() {
        let ada = visit()
        paint(16, "red", ada)
        paint(-1, "red", ada)
        #expect(outputs(ada).contains(fields()))
    }

    @Test func `a visitor is there while the page is open`() {
        let (ada, bob) = (visit(), visit())
        let pages = [host.harness.follow(ada), host.harness.follow(bob)]
        _ = host.send(.post, ada + "/inputs/introduce", body: "\"Ada\"")
        _ = host.send(.post, ada + "/inputs/introduce", body: "\"\"")
        wait()
        #expect(outputs(bob).contains(#""visitors":["Ada","Somebody"],"visitorCount":2"#))
        pages[0].cut()
        wait()
        #expect(outputs(bob).contains(#""visitors":["Somebody"],"visitorCount":1"#))
    }

    @Test(arguments: [
        ("A" + String(repeating: "\u{301}", count: 500), "A" + String(repeating: "\u{301}", count: 23)),
        (#"\u202eE\u0007v\u2028e"#, "Eve"), ("<b>&", "<b>&"),
    ])
    func `a name takes no more room than others, and does not change how they are shown`(
        name: String, shown: String
    ) {
        let ada = visit()
        let page = host.harness.follow(ada)
        _ = host.send(.post, ada + "/inputs/introduce", body: "\"\(name)\"")
        wait()
        #expect(outputs(ada).contains("\"visitors\":[\"\(shown)\"]"))
        withExtendedLifetime(page) {}
    }

    @Test func `the first painter after a restart brings the board back`() throws {
        let ada = visit()
        paint(0, "red", ada)
        try host.restart()
        let bob = visit()
        #expect(outputs(bob).contains(fields()))
        paint(1, "blue", ada)
        #expect(outputs(bob).contains(fields("red", "blue")))
    }

    @Test func `what a board has received is replayed from the record`() throws {
        let (ada, bob) = (visit(), visit())
        let page = host.harness.follow(ada)
        paint(0, "red", bob)
        _ = host.send(.post, ada + "/inputs/introduce", body: "\"Ada\"")
        wait()
        try host.restart()
        paint(1, "green", ada)
        try assertReplays(host.recording(of: ada), .board())
        withExtendedLifetime(page) {}
    }

    @Test func `a board continues in another process as if there had been none`() {
        let pause = MachineStep.wait(.milliseconds(200))
        let script: [MachineStep] = [
            pause, #"paint {"field":0,"color":"red"}"#, #"introduce "Ada""#, pause,
            #"paint {"field":15,"color":"blue"}"#,
            pause,
        ]
        #expect(machine(script).restartFindings(steps: 0) == [])
    }

    @Test(arguments: [MachinePoint.creation, .schemas, .refusal, .ending])
    func `the board fulfils the contract of hosted machines, except that sessions affect each other`(
        point: MachinePoint
    ) {
        #expect(machine([#"paint {"field":0,"color":"red"}"#, #"introduce "Ada""#]).findings(point) == [])
    }

    private func machine(_ script: [MachineStep]) -> MachineCase {
        do {
            return MachineCase(try .board(), script: script)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
