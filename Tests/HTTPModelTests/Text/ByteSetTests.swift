import HTTPModel
import Testing

@Suite struct ByteSetTests {
    private static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    private static let digits = "0123456789"
    private static let name = letters + digits + "-._~!$&'()*+,;="

    /// Each set with its members as listed in the standards.
    private static let sets: [(ByteSet, String)] = [
        (.fieldName, "abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~"),
        (.host, name),
        (.path, name + ":@/[]|^"),
        (.query, name + ":@/?%[]{}|^`\\"),
        (.address, digits + "abcdefABCDEF:."),
        (.scheme, letters + digits + "+-."),
    ]

    @Test(arguments: sets.indices)
    func `every byte is in the sets that the standards define`(index: Int) {
        let (set, members) = ByteSetTests.sets[index]
        for byte in UInt8.min ... .max {
            let isMember = members.utf8.contains(byte)
            #expect(set.contains(byte) == isMember, "\(byte)")
            let text = Array(members.utf8.prefix(3)) + [byte] + Array(members.utf8.suffix(2))
            #expect(text.withUnsafeBytes { set.prefix(of: $0, from: 1) } == (isMember ? 6 : 3), "\(byte)")
        }
    }
}
