import Access
import COpenSSL
import Glibc

/// The encrypted content of a row or snapshot: AES-256-GCM under a key of its session, with a random nonce.
///
///     marker (2 bytes), id of the key (8), nonce (12), encrypted bytes, tag (16)
///
/// The tag also covers the marker, the id of the key, and whether it is a row or a snapshot.
struct SealedContent {
    enum Kind: UInt8 {
        case row = 1
        case snapshot = 2
    }

    // Records begin with a number in its shortest encoding. This is a longer one of zero, which no record begins with.
    private static let marker: [UInt8] = [0x80, 0x00]
    private static let headCount = 10
    private static let nonceCount = 12
    private static let tagCount = 16

    let keyID: UInt64
    private let bytes: ArraySlice<UInt8>

    /// Finds the encrypted content in bytes. Returns nil if they are not encrypted.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.headCount + Self.nonceCount + Self.tagCount, bytes.starts(with: Self.marker) else {
            return nil
        }
        self.bytes = bytes
        keyID = bytes.dropFirst(2).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the decrypted bytes.
    ///
    /// - Throws: `RecordReader.Damaged` if they were changed, or belong to another session.
    func open(_ kind: Kind, of session: StoredSessionID, with key: SecretKey) throws(RecordReader.Damaged) -> [UInt8] {
        let head = Array(bytes.prefix(Self.headCount)) + [kind.rawValue]
        let nonce = Array(bytes.dropFirst(Self.headCount).prefix(Self.nonceCount))
        let encrypted = Array(bytes.dropFirst(Self.headCount + Self.nonceCount).dropLast(Self.tagCount))
        var tag = Array(bytes.suffix(Self.tagCount))
        guard let cipher = Cipher(key.key(of: session), nonce: nonce, encrypts: false),
            let clear = cipher.update(encrypted, covering: head), cipher.setTag(&tag), cipher.finish()
        else { throw RecordReader.Damaged() }
        return clear
    }

    /// Replaces the bytes from an index to the end by their encrypted form.
    static func seal(
        _ bytes: inout [UInt8], from start: Int, _ kind: Kind, of session: StoredSessionID, with key: SecretKey
    ) {
        let clear = Array(bytes[start...])
        var head = marker
        withUnsafeBytes(of: key.id.bigEndian) { head.append(contentsOf: $0) }
        var nonce = [UInt8](repeating: 0, count: nonceCount)
        guard RAND_bytes(&nonce, Int32(nonceCount)) == 1,
            let cipher = Cipher(key.key(of: session), nonce: nonce, encrypts: true),
            let encrypted = cipher.update(clear, covering: head + [kind.rawValue]), cipher.finish(),
            let tag = cipher.tag(count: tagCount)
        else {
            // Not a precondition: an unchecked build would continue, and store the clear text.
            abort()
        }
        bytes.removeSubrange(start...)
        bytes.append(contentsOf: head)
        bytes.append(contentsOf: nonce)
        bytes.append(contentsOf: encrypted)
        bytes.append(contentsOf: tag)
        assert(
            bytes.count - start == headCount + nonceCount + clear.count + tagCount,
            "expected the form of \(clear.count) bytes, got \(bytes.count - start) bytes")
    }
}

/// One run of AES-256-GCM.
private final class Cipher {
    private let context: OpaquePointer

    init?(_ key: SecretBytes, nonce: [UInt8], encrypts: Bool) {
        guard let context = EVP_CIPHER_CTX_new() else { return nil }
        self.context = context
        // GCM uses nonces of 12 bytes by default.
        assert(nonce.count == 12, "expected a nonce of 12 bytes, got \(nonce.count)")
        let isReady = key.withBytes { key in
            assert(key.count == SecretKey.byteCount, "expected \(SecretKey.byteCount) bytes, got \(key.count)")
            let key = key.bindMemory(to: UInt8.self).baseAddress
            return EVP_CipherInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce, encrypts ? 1 : 0) == 1
        }
        guard isReady else { return nil }
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// Encrypts or decrypts bytes. The tag covers others as well.
    func update(_ bytes: [UInt8], covering others: [UInt8]) -> [UInt8]? {
        var count: Int32 = 0
        guard bytes.count <= Int32.max, EVP_CipherUpdate(context, nil, &count, others, Int32(others.count)) == 1 else {
            return nil
        }
        var result = [UInt8](repeating: 0, count: bytes.count)
        guard EVP_CipherUpdate(context, &result, &count, bytes, Int32(bytes.count)) == 1 else { return nil }
        return Int(count) == bytes.count ? result : nil
    }

    /// Returns whether the tag is right, for decryption.
    func finish() -> Bool {
        // GCM has no padding, so nothing is written.
        var nothing = [UInt8](repeating: 0, count: 16)
        var count: Int32 = 0
        return EVP_CipherFinal_ex(context, &nothing, &count) == 1
    }

    func setTag(_ tag: inout [UInt8]) -> Bool {
        assert(tag.count == 16, "expected a tag of 16 bytes, got \(tag.count)")
        return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
    }

    func tag(count: Int) -> [UInt8]? {
        var tag = [UInt8](repeating: 0, count: count)
        return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(count), &tag) == 1 ? tag : nil
    }
}
