import Testing

@testable import HTTP1

@Suite struct TargetAlphabetTests {
    private let unreserved = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
    private let subDelimiters = Set("!$&'()*+,;=".utf8)

    @Test func `every byte is in the sets that the standard puts it in`() {
        let host = unreserved.union(subDelimiters)
        let path = host.union(":@/".utf8)
        let query = path.union("?[]{}|^`\\".utf8)
        for byte in UInt8.min ... .max {
            #expect(TargetAlphabet.isHostByte(byte) == host.contains(byte), "\(byte)")
            #expect(TargetAlphabet.isPathByte(byte) == path.contains(byte), "\(byte)")
            #expect(TargetAlphabet.isQueryByte(byte) == query.contains(byte), "\(byte)")
        }
    }
}
