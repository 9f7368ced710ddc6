extension ConfigurationKey {
    /// What sessions may retain.
    static let storage: [ConfigurationKey] = [
        ConfigurationKey(
            "sessions.maxOutputBytes", \.sessions.maxOutputBytes, .kibibytes(1)...ByteCount.mebibytes(1024),
            "The most bytes of JSON that one turn's change, or all outputs of a session, may have. A machine that shows more "
                + "ends its session with an incident."),
        ConfigurationKey(
            "sessions.maxSessionBytes", \.sessions.maxSessionBytes, .kibibytes(1)...ByteCount.mebibytes(1 << 20),
            "Bytes that a session may retain: what its outputs show, its history, keyed requests, work that waits. Over it, "
                + "inputs get 507. The machine's own store cannot be measured; what it shows stands for it."),
        ConfigurationKey(
            "sessions.maxBytes", \.sessions.maxBytes, .kibibytes(1)...ByteCount.mebibytes(1 << 20),
            "Bytes that all sessions may retain. Over it, new sessions and inputs with a body get 503, small sessions last. "
                + "The process takes two to three times as much when outputs are large."),
        ConfigurationKey(
            "sessions.idempotencyBytes", \.sessions.idempotencyBytes, .kibibytes(1)...ByteCount.mebibytes(1024),
            "Bytes of keyed requests' responses that a session remembers; over it, a new key gets 429. A response of more "
                + "than a quarter of it is repeated without its changes."),
        ConfigurationKey(
            "sessions.creationKeys", \.sessions.creationKeys, 1...10_000_000,
            "Idempotency keys of new sessions that the server remembers; over it, a new key gets 429."),
    ]
}
