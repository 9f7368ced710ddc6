import HTTPModel
import Locking
import MachineHost
import MachineTesting
import Testing

/// How often the host encodes an output.
struct EncodingTests {
    @Test func `an output is encoded once per turn, regardless of how often it is set or read`() throws {
        let written = Lock(0)
        let harness = try HostHarness([Written.definition { written.withLock { $0 += 1 } }])
        let session = harness.makeSession(of: "written")
        let followers = (0..<5).map { _ in harness.follow(session) }
        for follower in followers { follower.read() }
        #expect(written.withLock { $0 } == 1)
        harness.input(session, "setTenTimes")
        for follower in followers { follower.read() }
        #expect(written.withLock { $0 } == 2)
        let bytes = Set(followers.map(\.text))
        #expect(bytes.count == 1)
        #expect(harness.send(.get, session).text.contains("{\"number\":10}"))
        #expect(written.withLock { $0 } == 2)
    }

    @Test func `an output that was not set is not encoded`() throws {
        let written = Lock(0)
        let harness = try HostHarness([Written.definition { written.withLock { $0 += 1 } }])
        let session = harness.makeSession(of: "written")
        for _ in 0..<10 { harness.input(session, "leave") }
        #expect(written.withLock { $0 } == 1)
    }
}

/// A machine with one number that reports each time it is encoded.
private final class Written: HostedMachine {
    let outputs: OutputBoard
    private let number: Number

    init(_ context: SessionContext, written: @escaping () -> Void) {
        outputs = OutputBoard(context: context)
        number = Number(written)
        outputs.add(number)
    }

    func set(_ value: Int) {
        number.value = value
        outputs.mark(number)
    }

    func end() {}

    final class Number: OutputCell {
        var value = 0
        private let written: () -> Void

        init(_ written: @escaping () -> Void) {
            self.written = written
            super.init(index: 0)
        }

        override func encode(into json: inout [UInt8]) throws {
            written()
            json.append(contentsOf: String(value).utf8)
        }
    }

    static func definition(written: @escaping @Sendable () -> Void) -> MachineDefinition {
        func input(_ name: String, _ run: @escaping @Sendable (Written) -> Void) -> InputDefinition {
            InputDefinition(name: name, schema: .null) { _ in
                PreparedInput { machine in
                    if let machine = machine as? Written { run(machine) }
                }
            }
        }
        return MachineDefinition(
            name: "written", summary: "",
            inputs: [
                input("setTenTimes") { machine in for value in 1...10 { machine.set(value) } }, input("leave") { _ in },
            ],
            outputs: [OutputDefinition(name: "number", schema: .integer(minimum: nil, maximum: nil), kind: .value)]
        ) { Written($0, written: written) }
    }
}
