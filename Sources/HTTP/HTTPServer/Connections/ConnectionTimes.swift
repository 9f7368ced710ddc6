import HTTPModel

/// The configured limits of a connection's waits in nanoseconds, converted once instead of with each request.
struct ConnectionTimes {
    let handshake: UInt64
    let head: UInt64
    let body: UInt64
    let idle: UInt64
    let write: UInt64
    let linger: UInt64
    let drain: UInt64
    /// The number of bytes of a body for which a client gets another second.
    let bodyRate: UInt64
    /// The time from a response to the first check of the bytes that the peer has acknowledged, and from that check to
    /// the end of the connection if the peer has earned no more time.
    let progressCheck: UInt64
    /// The number of acknowledged bytes of responses for which a client gets another second.
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
        progressCheck = ConnectionTimes.nanoseconds(configuration.answerTimeout) / 2
        answerRate = UInt64(max(1, configuration.answerRate))
    }

    /// Returns the time limit of a body of which `count` bytes have been received.
    func body(received count: Int) -> UInt64 {
        body + UInt64(count).multipliedFullWidth(by: 1_000_000_000).low / bodyRate
    }

    /// Returns the time that a peer has earned by acknowledging `count` bytes of responses.
    func answer(acknowledged count: UInt64) -> UInt64 {
        // More than a gigabyte would overflow. It earns a quarter of an hour even at the highest rate.
        min(count, 1 << 30) * 1_000_000_000 / answerRate
    }

    private static func nanoseconds(_ duration: Duration) -> UInt64 {
        // A hundred years are practically no limit, and sums cannot overflow.
        let century: Int64 = 100 * 365 * 86400 * 1_000_000_000
        return UInt64(min(max(0, duration.wholeNanoseconds), century))
    }
}
