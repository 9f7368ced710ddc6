import Testing

@testable import Access

@Suite struct SigningKeysTests {
    private let old = SecretBytes.random()
    private let new = SecretBytes.random()

    private func content(_ keys: SigningKeys, _ text: String, _ purpose: SigningKeys.Purpose = .cookie) -> [UInt8]? {
        Array(text.utf8).withUnsafeBytes { keys.content(of: $0, for: purpose, longest: 128).map { Array($0.bytes) } }
    }

    private func isOld(_ keys: SigningKeys, _ text: String) -> Bool? {
        Array(text.utf8).withUnsafeBytes { keys.content(of: $0, for: .cookie, longest: 128)?.isOld }
    }

    @Test func `a text of the previous key is accepted until the key is removed`() throws {
        let before = try #require(SigningKeys([old]))
        let rotated = try #require(SigningKeys([new, old]))
        let after = try #require(SigningKeys([new]))
        let text = before.signed([1, 2, 3], for: .cookie)
        #expect(isOld(before, text) == false)
        #expect(isOld(rotated, text) == true)
        #expect(content(rotated, text) == [1, 2, 3])
        #expect(content(after, text) == nil)
        #expect(isOld(after, rotated.signed([1], for: .cookie)) == false)
    }

    @Test func `a text for one purpose is invalid for another`() throws {
        let keys = try #require(SigningKeys([old]))
        let text = keys.signed([1, 2, 3], for: .ticket)
        #expect(content(keys, text, .ticket) == [1, 2, 3])
        #expect(content(keys, text, .cookie) == nil)
    }

    @Test func `no character of a text can be changed, added or removed`() throws {
        let keys = try #require(SigningKeys([old]))
        let text = Array(keys.signed([1, 2, 3, 4], for: .cookie).utf8)
        for index in text.indices {
            for digit in [UInt8(ascii: "A"), UInt8(ascii: "B"), UInt8(ascii: "_"), UInt8(ascii: "=")]
            where digit != text[index] {
                var forged = text
                forged[index] = digit
                #expect(content(keys, String(decoding: forged, as: UTF8.self)) == nil)
            }
            #expect(content(keys, String(decoding: text[..<index], as: UTF8.self)) == nil)
        }
        #expect(content(keys, String(decoding: text, as: UTF8.self) + "A") == nil)
    }

    @Test func `weak and missing keys are rejected`() {
        #expect(SigningKeys([]) == nil)
        #expect(SigningKeys([.random(count: 31)]) == nil)
        #expect(SigningKeys([.random(count: 32), .random(count: 16)]) == nil)
    }

    @Test func `a text that is too long is not decoded`() throws {
        let keys = try #require(SigningKeys([old]))
        #expect(content(keys, keys.signed([UInt8](repeating: 0, count: 200), for: .cookie)) == nil)
    }
}
