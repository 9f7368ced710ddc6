import Testing

@testable import MachineHost

struct CombinedPositionTests {
    private let one = SessionID(high: 1 << 40, low: 0)
    private let two = SessionID(high: 2 << 40, low: 0)

    @Test func `the text has an entry for each session, in the order of the URL`() {
        var position = position(of: 3)
        #expect(text(position) == "~~")
        position.set(bytes("BBBBBB.7"), at: 1)
        #expect(text(position) == "~BBBBBB.7~")
        position.set(bytes("AAAAAA.3"), at: 0)
        position.set(bytes("CCCCCC.0"), at: 2)
        #expect(text(position) == "AAAAAA.3~BBBBBB.7~CCCCCC.0")
        position.set(bytes("AAAAAA.9"), at: 0)
        position.set(bytes("AAAAAA.10"), at: 0)
        position.set(bytes("BBBBBB.8"), at: 1)
        #expect(text(position) == "AAAAAA.10~BBBBBB.8~CCCCCC.0")
    }

    @Test func `a position is found by its epoch, wherever it is`() {
        let text = bytes("AAAAAA.10~BBBBBB.8~CCCCCC.0")
        #expect(CombinedPosition.position(in: text, of: epoch("BBBBBB"))?.version == 8)
        #expect(CombinedPosition.position(in: text, of: epoch("CCCCCC"))?.version == 0)
        #expect(CombinedPosition.position(in: text, of: epoch("DDDDDD")) == nil)
        #expect(CombinedPosition.position(in: bytes("BBBBBB.8"), of: epoch("BBBBBB"))?.version == 8)
    }

    @Test(arguments: [
        "", "~", "~~~", "AAAAAA", "AAAAAA.", "AAAAAA.x", "AAAAAA.01", ".1", "AAAAAA!", "AAAAAA.1~AAAAAA.2",
    ])
    func `text without the position results in none`(text: String) {
        #expect(CombinedPosition.position(in: bytes(text), of: epoch("AAAAAA")) == nil)
    }

    @Test func `a text that no server has sent is ignored`() {
        let longest = Array(repeating: "AAAAAA.18446744073709551615", count: 64).joined(separator: "~")
        #expect(longest.utf8.count <= CombinedPosition.maxBytes)
        #expect(CombinedPosition.position(in: bytes(longest), of: epoch("AAAAAA"))?.version == .max)
        let long = bytes("AAAAAA.1~" + String(repeating: "~", count: CombinedPosition.maxBytes))
        #expect(CombinedPosition.position(in: long, of: epoch("AAAAAA")) == nil)
    }

    @Test func `the position of a client is kept until each session has its own`() {
        var position = position(of: 3, after: "BBBBBB.2~CCCCCC.3~AAAAAA.1")
        #expect(text(position) == "BBBBBB.2~CCCCCC.3~AAAAAA.1")
        position.set(bytes("AAAAAA.5"), at: 0)
        #expect(text(position) == "AAAAAA.5~CCCCCC.3~BBBBBB.2")
        // Its epoch is new, so the client's entry at this place may belong to any session.
        position.set(bytes("DDDDDD.0"), at: 1)
        #expect(text(position) == "AAAAAA.5~DDDDDD.0~BBBBBB.2~CCCCCC.3")
        position.set(bytes("BBBBBB.2"), at: 2)
        #expect(text(position) == "AAAAAA.5~DDDDDD.0~BBBBBB.2")
    }

    @Test func `entries of sessions that the client has removed disappear when all others have their own`() {
        var position = position(of: 2, after: "AAAAAA.1~BBBBBB.2~CCCCCC.3")
        #expect(text(position) == "AAAAAA.1~BBBBBB.2~CCCCCC.3")
        position.set(bytes("CCCCCC.4"), at: 1)
        #expect(text(position) == "AAAAAA.1~CCCCCC.4~BBBBBB.2")
        position.set(bytes("BBBBBB.2"), at: 0)
        #expect(text(position) == "BBBBBB.2~CCCCCC.4")
    }

    @Test func `the end of a session takes the place of its position`() {
        var position = position(of: 2, after: "AAAAAA.1~BBBBBB.2")
        position.end(bytes(one.text)[...], at: 0)
        position.set(bytes("BBBBBB.3"), at: 1)
        #expect(text(position) == "\(one.text.prefix(6))!~BBBBBB.3")
        #expect(!CombinedPosition.hasEnded([one, two], in: position.text))
        position.end(bytes(two.text)[...], at: 1)
        #expect(CombinedPosition.hasEnded([one, two], in: position.text))
        #expect(CombinedPosition.hasEnded([two], in: position.text))
        #expect(!CombinedPosition.hasEnded([SessionID(high: 3 << 40, low: 0)], in: position.text))
        #expect(!CombinedPosition.hasEnded([one], in: []))
    }

    @Test func `64 positions of any size stay within the bound, also with those that the client has sent`() {
        var random = Random(seed: 7)
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef")
        let earlier = (0..<64).map { "\(digits[$0 % 32])\(digits[$0 / 32])AAAA.18446744073709551615" }
        var position = position(of: 64, after: earlier.joined(separator: "~"))
        for _ in 0..<1000 {
            let place = Int(random.next() % 64)
            let name = "\(digits[Int(random.next() % 32)])\(digits[place / 32])BAAA"
            position.set(bytes("\(name).\(random.next() >> (random.next() % 64))"), at: place)
            #expect(position.text.count <= CombinedPosition.maxBytes)
            #expect(position.text.count { $0 == UInt8(ascii: "~") } == 63)
        }
    }

    private func position(of count: Int, after earlier: String = "") -> CombinedPosition {
        CombinedPosition(sessionCount: count, after: bytes(earlier))
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func text(_ position: CombinedPosition) -> String { String(decoding: position.text, as: UTF8.self) }

    private func epoch(_ text: String) -> Epoch {
        StreamPosition(Array((text + ".0").utf8))?.epoch ?? Epoch(bits: 0)
    }
}
