import Testing

@testable import Access

@Suite struct SecretBytesTests {
    @Test func `bytes that are moved are erased at their source`() {
        var source: [UInt8] = [1, 2, 3]
        let secret = SecretBytes(moving: &source)
        #expect(source.isEmpty)
        #expect(secret.withBytes { Array($0) } == [1, 2, 3])
    }

    @Test func `the memory of erased bytes is overwritten`() {
        var bytes: [UInt8] = Array(repeating: 0xAA, count: 64)
        bytes.withUnsafeMutableBytes { memory in
            var copy = Array(memory)
            SecretBytes.erase(&copy)
            #expect(copy.isEmpty)
        }
        SecretBytes.erase(&bytes)
        #expect(bytes.isEmpty)
    }

    @Test func `descriptions and mirrors do not show the bytes`() {
        let secret = SecretBytes(copying: Array("password".utf8))
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped] {
            #expect(!text.contains("password") && !text.contains("112"))
        }
    }

    @Test func `equality compares count and bytes`() {
        let secret = SecretBytes(copying: [1, 2, 3])
        func equals(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { secret.equals($0) } }
        #expect(equals([1, 2, 3]))
        #expect(!equals([1, 2, 4]) && !equals([1, 2]) && !equals([]) && !equals([1, 2, 3, 4]))
        #expect([UInt8]().withUnsafeBytes { SecretBytes(copying: []).equals($0) })
    }

    @Test func `random secrets differ`() {
        let (one, other) = (SecretBytes.random(), SecretBytes.random())
        #expect(one.count == 32)
        #expect(!other.withBytes { one.equals($0) })
    }
}
