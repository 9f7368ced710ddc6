import Locking

/// The codecs of types, each created once: reading a type's metadata costs more than wiring most machines, and a codec takes more
/// memory than the state of most operators.
package enum KnownCodecs {
    private static let codecs = Lock<[ObjectIdentifier: UnsafeTransfer<Any>]>([:])

    /// Returns the codec of a type; nil if its values cannot be captured.
    package static func codec<Value>(of type: Value.Type) -> StateCodec<Value>? {
        var reading = CodecReading()
        return codec(of: type, &reading, at: "")
    }

    /// Returns the codec of a type; nil if its values cannot be captured, with the obstacles in `reading`.
    static func codec<Value>(
        of type: Value.Type, _ reading: inout CodecReading, at path: String
    ) -> StateCodec<Value>? {
        if let known = codecs.withLock({ $0[ObjectIdentifier(type)] })?.value as? StateCodec<Value> { return known }
        guard let codec = reading.codec(of: type, at: path) else { return nil }
        // Transferred between loops: a codec does not change after its creation.
        let shared = UnsafeTransfer<Any>(codec)
        codecs.withLock { $0[ObjectIdentifier(type)] = shared }
        return codec
    }
}

/// The properties of a type that are captured.
public enum MemberScope: Sendable {
    /// All stored properties.
    case all
    /// The properties whose values live in objects: `@Published` and subjects.
    case holders
}
