import HTTPServerTesting

@testable import Granary

extension Configuration {
    /// Gives clients an hour for everything, because a busy machine can delay a test between any two bytes.
    mutating func extendTimeouts() {
        server.extendTimeouts()
        tls.handshakeTimeout = .seconds(3600)
    }
}
