import COpenSSL
import Locking

/// The keys under which clients keep their sessions (RFC 5077; RFC 8446 §4.6.1), so that they come back without a full
/// handshake and the server remembers nothing. Shared by all connections of a server, from any thread.
///
/// Tickets are sealed under the newest key and opened under it and the one before. Whoever owns the keys calls
/// ``rotate()`` now and then, so that a key that is stolen opens little.
public final class TLSTicketKeys: Sendable {
    struct Key {
        static let nameLength = 16
        static let keyLength = 32
        let name: [UInt8]
        let cipher: [UInt8]
        let mac: [UInt8]

        init() {
            name = Key.random(Key.nameLength)
            cipher = Key.random(Key.keyLength)
            mac = Key.random(Key.keyLength)
        }

        private static func random(_ count: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            let isRandom = RAND_bytes(&bytes, Int32(count)) == 1
            precondition(isRandom, "the system has no random bytes")
            return bytes
        }
    }

    private let keys: Lock<(newest: Key, before: Key?)>

    /// Fresh keys.
    public init() {
        keys = Lock((Key(), nil))
    }

    /// Makes a new key. Tickets under the key before are good until the next call, and are renewed when they are shown.
    public func rotate() {
        let fresh = Key()
        keys.withLock { $0 = (fresh, $0.newest) }
    }

    var newest: Key { keys.withLock { $0.newest } }

    /// The key of that name, and whether a ticket under it is to be renewed.
    func key(named name: UnsafeRawBufferPointer) -> (key: Key, isOld: Bool)? {
        keys.withLock { keys in
            if keys.newest.name.elementsEqual(name) { return (keys.newest, false) }
            if let before = keys.before, before.name.elementsEqual(name) { return (before, true) }
            return nil
        }
    }

    /// What the library calls to seal a ticket and to open one. 1 is yes, 2 yes with a new one, 0 no, negative an error.
    static let callback:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, OpaquePointer?, OpaquePointer?,
            Int32
        ) -> Int32 = { connection, name, iv, cipher, mac, seals in
            guard let name, let iv, let data = granary_tls_context_data(connection) else { return -1 }
            let keys = Unmanaged<TLSTicketKeys>.fromOpaque(data).takeUnretainedValue()
            if seals == 1 {
                let key = keys.newest
                guard RAND_bytes(iv, EVP_MAX_IV_LENGTH) == 1 else { return -1 }
                for (index, byte) in key.name.enumerated() { name[index] = byte }
                return granary_ticket_begin(cipher, mac, key.cipher, key.mac, key.mac.count, iv, 1) == 1 ? 1 : -1
            }
            let sought = UnsafeRawBufferPointer(start: name, count: Key.nameLength)
            guard let (key, isOld) = keys.key(named: sought) else { return 0 }
            guard granary_ticket_begin(cipher, mac, key.cipher, key.mac, key.mac.count, iv, 0) == 1 else { return -1 }
            // A client of TLS 1.3 shows a ticket once (RFC 8446 appendix C.4) and needs another one to come back again.
            return isOld || SSL_version(connection) == TLS1_3_VERSION ? 2 : 1
        }
}
