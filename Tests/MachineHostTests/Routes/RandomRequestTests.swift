import HTTPModel
import JSONText
import MachineHost
import MachineTesting
import Testing

/// Randomly mutated requests.
struct RandomRequestTests {
    private static let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "X"]
    private static let targets = [
        "/v1/machines", "/v1/machines/scripted", "/v1/sessions", "SESSION", "SESSION/inputs", "SESSION/inputs/add",
        "SESSION/inputs/set", "SESSION/inputs/complain", "SESSION/outputs", "SESSION/outputs?only=count",
        "SESSION/outputs?lastEventID=AAAAAA.1", "SESSION/stream", "SESSION/stream?offset=-1&live=sse",
        "SESSION/stream?offset=00000000000000000001.AAAAAA", "/health/ready", "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA",
        "*", "/",
    ]
    private static let bodies = [
        "", "null", "1", "\"a\"", "{\"machine\":\"scripted\"}", "[{\"input\":\"add\",\"value\":1}]", "[{}]",
        "{\"a\":[1,2]}",
        "[[[[[[]]]]]]", "1e999", "\"\\ud83d\\ude00\"", "[{\"input\":\"set\",\"value\":{\"x\":[null,true]}}]",
    ]
    private static let fields: [(HTTPFieldName, [String])] = [
        (.accept, ["*/*", "text/event-stream", "application/json;q=0", "text/html, */*;q=0.1", ";", ""]),
        (.contentType, ["application/json", "text/plain", "application/problem+json; a=b", ""]),
        (.ifMatch, ["*", "\"0\"", "W/\"1\"", "\"", "0"]), (.ifNoneMatch, ["*", "\"3\"", "x"]),
        (.idempotencyKey, ["a", "\"a\"", "b", ""]), (.lastEventID, ["", "AAAAAA.0", "x"]),
    ]

    @Test(arguments: 0..<40)
    func `every random request is answered, problems are JSON, and the host keeps working`(seed: Int) throws {
        var random = Random(seed: UInt64(seed))
        let harness = try HostHarness.counting { $0.maxSessions = 5 }
        var session = harness.makeSession()
        for _ in 0..<150 {
            let target = mutated(pick(Self.targets, &random), &random).replacing("SESSION", with: session)
            var fields = HTTPFields()
            for (name, values) in Self.fields where random.next() % 3 == 0 {
                if let value = HTTPFieldValue(pick(values, &random)) { fields.append(name, value) }
            }
            let body = mutated(Array(pick(Self.bodies, &random).utf8), &random)
            let answer = harness.send(
                HTTPMethod(rawValue: pick(Self.methods, &random)), target, bytes: body.isEmpty ? nil : body,
                fields: fields)
            check(answer, target)
            if let stream = answer.stream { StreamFollower(stream).readOnce(limit: Int(random.next() % 64) + 1) }
            if harness.send(.get, session).status == .gone { session = harness.makeSession() }
        }
        #expect(harness.input(session, "increment").status == .ok)
    }

    private func check(_ answer: HarnessAnswer, _ target: String) {
        #expect((200..<600).contains(answer.status.code))
        #expect(answer.status != .internalServerError, "\(target)")
        guard answer.status.code >= 400 else { return }
        #expect(answer.fields.value(.contentType) == "application/problem+json")
        let members = JSONObjectText.members(of: answer.text)
        #expect(members?.first { $0.name == "status" }?.value == "\(answer.status.code)", "\(answer.text)")
        #expect(members?.contains { $0.name == "detail" } == true)
    }

    private func pick<Element>(_ elements: [Element], _ random: inout Random) -> Element {
        elements[Int(random.next() % UInt64(elements.count))]
    }

    /// Returns the bytes unchanged half of the time, otherwise with some of them changed, inserted or removed.
    private func mutated(_ bytes: [UInt8], _ random: inout Random) -> [UInt8] {
        var bytes = bytes
        guard random.next() % 2 == 0 else { return bytes }
        for _ in 0...(random.next() % 3) {
            let place = Int(random.next() % UInt64(bytes.count + 1))
            let byte = UInt8(truncatingIfNeeded: random.next())
            switch random.next() % 3 {
            case 0: bytes.insert(byte, at: place)
            case 1 where place < bytes.count: bytes[place] = byte
            default: if place < bytes.count { bytes.remove(at: place) }
            }
        }
        return bytes
    }

    /// Returns a mutated target that a request parser would accept: visible ASCII.
    private func mutated(_ target: String, _ random: inout Random) -> String {
        guard random.next() % 4 == 0 else { return target }
        let bytes = mutated(Array(target.utf8), &random).map { 0x21 + $0 % 0x5E }
        return String(decoding: bytes, as: UTF8.self)
    }
}
