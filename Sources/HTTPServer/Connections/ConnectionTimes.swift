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

    init(_ configuration: HTTPServerConfiguration) {
        handshake = ConnectionTimes.nanoseconds(configuration.tls?.handshakeTimeout ?? configuration.headTimeout)
        head = ConnectionTimes.nanoseconds(configuration.headTimeout)
        body = ConnectionTimes.nanoseconds(configuration.bodyTimeout)
        idle = ConnectionTimes.nanoseconds(configuration.idleTimeout)
        write = ConnectionTimes.nanoseconds(configuration.writeTimeout)
        linger = ConnectionTimes.nanoseconds(configuration.lingerTimeout)
        drain = ConnectionTimes.nanoseconds(configuration.drainTimeout)
        bodyRate = UInt64(max(1, configuration.bodyRate))
    }

    /// How long a body of which so many bytes have come may take.
    func body(received count: Int) -> UInt64 {
        body + UInt64(count).multipliedFullWidth(by: 1_000_000_000).low / bodyRate
    }

    private static func nanoseconds(_ duration: Duration) -> UInt64 {
        // A hundred years is for ever, and leaves room to add times up.
        UInt64(min(max(0, duration.wholeNanoseconds), 100 * 365 * 86400 * 1_000_000_000))
    }
}
