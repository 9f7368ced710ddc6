import CLinux
package import HTTPModel

/// A connection on which a server sends its successor one request of a client. It begins with what the server knows of the
/// connection of the client, because nothing of that can be seen on this one.
///
/// The successor receives it as a descriptor from the other process, and accepts it from no listener. So no client can make one.
package enum PassedConnection {
    /// The maximum size of the description of a peer. It fits into the buffer of a new socket.
    private static let maxLength = 64 << 10

    /// Describes the client, before the connection is passed. Returns whether the successor can read the description.
    ///
    /// - Parameters:
    ///   - descriptor: This server's end of a new connection.
    ///   - peer: The peer of the connection on which the request has arrived.
    package static func begin(_ descriptor: Int32, for peer: HTTPPeer) -> Bool {
        let facts = bytes(of: peer)
        guard facts.count <= maxLength else { return false }
        let bytes = prefixed(facts)
        return bytes.withUnsafeBytes { granary_send(descriptor, $0.baseAddress, $0.count) } == bytes.count
    }

    /// Reads the description from a connection that has been passed, without waiting. Returns nil if it is incomplete.
    static func peer(of descriptor: Int32) -> HTTPPeer? {
        guard let length = receive(4, from: descriptor), let facts = receive(count(length[...]), from: descriptor)
        else {
            return nil
        }
        return peer(from: facts)
    }

    private static func receive(_ count: Int, from descriptor: Int32) -> [UInt8]? {
        guard count <= maxLength else { return nil }
        var buffer = [UInt8](repeating: 0, count: count)
        return granary_receive(descriptor, &buffer, count) == count ? buffer : nil
    }

    // Texts, each after its length: the address, the port, the properties, the subject and the names of the certificate.

    static func bytes(of peer: HTTPPeer) -> [UInt8] {
        let properties: [(Character, Bool)] = [
            ("a", peer.role == .admin), ("u", peer.isByUnixSocket), ("l", peer.isListenerLocal), ("s", peer.isSecure),
            ("c", peer.certificateSubject != nil),
        ]
        let texts = [
            peer.address, String(peer.port), String(properties.filter(\.1).map(\.0)), peer.certificateSubject ?? "",
        ]
        return (texts + peer.certificateNames).flatMap { prefixed(Array($0.utf8)) }
    }

    static func peer(from bytes: [UInt8]) -> HTTPPeer? {
        var texts: [String] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let length = count(rest.prefix(4))
            guard rest.count >= 4, length <= rest.count - 4 else { return nil }
            rest = rest.dropFirst(4)
            texts.append(String(decoding: rest.prefix(length), as: UTF8.self))
            rest = rest.dropFirst(length)
        }
        guard texts.count >= 4, let port = UInt16(texts[1]) else { return nil }
        let properties = texts[2]
        return HTTPPeer(
            address: texts[0], port: port, certificateSubject: properties.contains("c") ? texts[3] : nil,
            certificateNames: Array(texts[4...]), role: properties.contains("a") ? .admin : .public,
            isByUnixSocket: properties.contains("u"), isListenerLocal: properties.contains("l"),
            isSecure: properties.contains("s"))
    }

    private static func prefixed(_ bytes: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { Array($0) } + bytes
    }

    private static func count(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
