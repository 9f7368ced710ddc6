import COpenSSL
import Locking

/// The keys of session tickets (RFC 5077; RFC 8446 §4.6.1), with which clients resume sessions without a full handshake
/// and without state on the server. Shared by all connections of a server; usable from any thread.
///
/// Tickets are encrypted with the newest key. Tickets of the newest and the previous key are accepted. The owner calls
/// ``rotate()`` regularly, so that a stolen key reveals little.
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

    /// Creates random keys.
    public init() {
        keys = Lock((Key(), nil))
    }

    /// Creates a new key. Tickets of the previous key are valid until the next call and are renewed when they are used.
    public func rotate() {
        let fresh = Key()
        keys.withLock { $0 = (fresh, $0.newest) }
    }

    var newest: Key { keys.withLock { $0.newest } }

    /// Returns the key with a name, and whether its tickets have to be renewed.
    func key(named name: UnsafeRawBufferPointer) -> (key: Key, isOld: Bool)? {
        keys.withLock { keys in
            if keys.newest.name.elementsEqual(name) { return (keys.newest, false) }
            if let before = keys.before, before.name.elementsEqual(name) { return (before, true) }
            return nil
        }
    }

    /// The library's callback for encrypting and decrypting tickets. Returns 1 for success, 2 for success with a new
    /// ticket, 0 for an unknown key and a negative number for an error.
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
            // A TLS 1.3 client uses a ticket once (RFC 8446 appendix C.4) and needs another one for its next
            // connection.
            return isOld || SSL_version(connection) == TLS1_3_VERSION ? 2 : 1
        }
}
