import HTTPModel
import Testing

@testable import Access

@Suite struct APIKeyFileTests {
    private let digest = String(repeating: "ab", count: 32)
    private let other = String(repeating: "cd", count: 32)

    @Test func `a new key has a prefix and 256 random bits, and only its digest is in the file`() throws {
        let (key, text) = try APIKeyFile("").adding("reports")
        #expect(key.hasPrefix("granary_"))
        #expect(Base64URL.bytes(of: key.dropFirst("granary_".count).utf8)?.count == 32)
        #expect(!text.contains(key.dropFirst(8)))
        let file = try APIKeyFile(text)
        #expect(file.names == ["reports"])
        #expect(file.entries[0].digest == Array(key.utf8).withUnsafeBytes { Digest.sha256($0) })
        #expect(try file.adding("other").key != key)
    }

    @Test func `changes keep all other lines`() throws {
        let text = "# Keys.\n\nreports sha256:\(digest)\n  build\tsha256:\(other.uppercased())  \n# The end."
        let file = try APIKeyFile(text)
        #expect(file.names == ["reports", "build"])
        #expect(file.removing("reports") == "# Keys.\n\n  build\tsha256:\(other.uppercased())  \n# The end.\n")
        #expect(file.removing("nobody") == nil)
        let added = try file.adding("third").text
        #expect(added.hasPrefix(text + "\nthird sha256:"))
        #expect(try APIKeyFile(added).names == ["reports", "build", "third"])
        #expect(try APIKeyFile("a sha256:\(digest)\r\nb sha256:\(other)\r\n").names == ["a", "b"])
    }

    @Test(arguments: [
        ("a", 1), ("a sha256:", 1), ("\n\na sha256:00", 3), ("a md5:00", 1), ("a granary_secretsecret", 1),
        ("# x\nn/a sha256:00", 2), ("a sha256:zz", 1), ("a b sha256:00", 1),
    ])
    func `an invalid line is named and not repeated`(text: String, line: Int) {
        let message = failure { _ = try APIKeyFile(text) } ?? ""
        #expect(message.hasPrefix("Line \(line): "))
        #expect(!message.contains("secretsecret"))
    }

    @Test func `a repeated name or key is an error`() {
        let twice = failure { _ = try APIKeyFile("a sha256:\(digest)\na sha256:\(other)") }
        #expect(twice == "Line 2: expected each name and key once, got those of line 1.")
        #expect(failure { _ = try APIKeyFile("a sha256:\(digest)\nb sha256:\(digest)") } == twice)
        #expect(failure { _ = try APIKeyFile("a sha256:\(digest)\nb sha256:\(digest)x") } != nil)
    }

    @Test(arguments: ["", "a b", "é", "a/b", String(repeating: "a", count: 65), "#a", "a\n"])
    func `an invalid name gets no key`(name: String) {
        #expect(throws: AccessConfigurationError.self) { try APIKeyFile("").adding(name) }
    }

    @Test func `a name has one key`() throws {
        let file = try APIKeyFile("a sha256:\(digest)")
        #expect(throws: AccessConfigurationError.self) { try file.adding("a") }
    }
}
