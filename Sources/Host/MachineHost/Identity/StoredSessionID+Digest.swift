import COpenSSL

extension StoredSessionID {
    /// Creates the stored id of a session.
    ///
    /// The upper 32 bits are those of the session's id, which decide its loop. So a session can be placed without its id,
    /// for example when a timer wakes it. The other 96 bits are a digest (SHA-256, truncated) of the whole id, of which 96
    /// bits remain secret.
    init(of id: SessionID) {
        var bytes: [UInt8] = []
        for word in [id.high, id.low] { withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) } }
        var digest = [UInt8](repeating: 0, count: 32)
        let isDigested = EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil) == 1
        precondition(isDigested, "SHA-256 is not available")
        let words = [0, 8].map { start in digest[start..<(start + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        self.init(high: id.high & 0xFFFF_FFFF_0000_0000 | words[0] & 0xFFFF_FFFF, low: words[1])
    }

    /// Returns the loop of the session, given the number of loops.
    func loop(of count: Int) -> Int { SessionID(high: high, low: low).loop(of: count) }
}
