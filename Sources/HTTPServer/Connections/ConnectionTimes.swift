import HTTPModel

/// The configured times in nanoseconds, worked out once instead of with every request.
struct ConnectionTimes {
    let handshake: UInt64
    let head: UInt64
    let body: UInt64
    let idle: UInt64
    let write: UInt64
    let linger: UInt64
    let drain: UInt64
    let bodyRate: UInt64
    /// When it is first looked how a peer takes an answer; as long again is what it may do without.
    let firstLook: UInt64
    let answerRate: UInt64

    init(_ configuration: HTTPServerConfiguration) {
        handshake = ConnectionTimes.nanoseconds(configuration.tls?.handshakeTimeout ?? configuration.headTimeout)
        head = ConnectionTimes.nanoseconds(configuration.headTimeout)
        body = ConnectionTimes.nanoseconds(configuration.bodyTimeout)
        idle = ConnectionTimes.nanoseconds(configuration.idleTimeout)
        write = ConnectionTimes.nanoseconds(configuration.writeTimeout)
        linger = ConnectionTimes.nanoseconds(configuration.lingerTimeout)
        drain = ConnectionTimes.nanoseconds(configuration.drainTimeout)
        bodyRate = UInt64(max(1, configuration.bodyRate))
        firstLook = ConnectionTimes.nanoseconds(configuration.answerTimeout) / 2
        answerRate = UInt64(max(1, configuration.answerRate))
    }

    /// How long a body of which so many bytes have come may take.
    func body(received count: Int) -> UInt64 {
        body + UInt64(count).multipliedFullWidth(by: 1_000_000_000).low / bodyRate
    }

    /// What a peer that has acknowledged so many bytes of answers has earned.
    func answer(acknowledged count: UInt64) -> UInt64 {
        // A gigabyte has earned a quarter of an hour at the least: more would overflow, and nobody waits for it.
        min(count, 1 << 30) * 1_000_000_000 / answerRate
    }

    private static func nanoseconds(_ duration: Duration) -> UInt64 {
        // A hundred years is for ever, and leaves room to add times up.
        UInt64(min(max(0, duration.wholeNanoseconds), 100 * 365 * 86400 * 1_000_000_000))
    }
}
