import CLinux
import HTTPModel

/// A socket that listens, and what for.
struct ListeningSocket {
    let descriptor: Int32
    let isSecure: Bool
}

/// Opens the listening sockets of a server: one for each loop, all on one port, which the kernel spreads connections over.
/// Where TLS is configured, the same once more on its port.
struct Listening {
    /// Where requests in cleartext are taken.
    let address: HTTPServerAddress
    /// Where TLS is spoken, if it is.
    let secureAddress: HTTPServerAddress?
    /// The sockets of each loop.
    let sockets: [[ListeningSocket]]

    static func open(_ configuration: HTTPServerConfiguration, count: Int) throws(HTTPServerError) -> Listening {
        let (address, plain) = try openPort(configuration.port, configuration, count: count)
        guard let tls = configuration.tls else {
            let sockets = plain.map { [ListeningSocket(descriptor: $0, isSecure: false)] }
            return Listening(address: address, secureAddress: nil, sockets: sockets)
        }
        do throws(HTTPServerError) {
            let (secureAddress, secure) = try openPort(tls.port, configuration, count: count)
            let sockets = zip(plain, secure).map { plain, secure in
                [
                    ListeningSocket(descriptor: plain, isSecure: false),
                    ListeningSocket(descriptor: secure, isSecure: true),
                ]
            }
            return Listening(address: address, secureAddress: secureAddress, sockets: sockets)
        } catch {
            plain.forEach(granary_close)
            throw error
        }
    }

    /// Closes all of them, where the server does not come to listen.
    func close() {
        for socket in sockets.joined() { granary_close(socket.descriptor) }
    }

    private static func openPort(
        _ wanted: UInt16, _ configuration: HTTPServerConfiguration, count: Int
    ) throws(HTTPServerError) -> (HTTPServerAddress, [Int32]) {
        var options = granary_listen_options(
            port: wanted, shares_port: 0, backlog: 0, unsent_limit: Int32(configuration.unsentBytes),
            user_timeout: Int32(clamping: configuration.writeTimeout.wholeNanoseconds / 1_000_000))
        // Sockets that share a port would join another server's without a word. So the port is asked for without
        // sharing first; that also finds a free one.
        var port: UInt16 = 0
        granary_close(try socket(configuration, &options, &port))
        options.port = port
        options.shares_port = 1
        options.backlog = Int32(clamping: max(1, configuration.backlog))
        var sockets: [Int32] = []
        do throws(HTTPServerError) {
            for _ in 0..<count { sockets.append(try socket(configuration, &options, &port)) }
        } catch {
            sockets.forEach(granary_close)
            throw error
        }
        return (HTTPServerAddress(host: configuration.host, port: port), sockets)
    }

    private static func socket(
        _ configuration: HTTPServerConfiguration, _ options: inout granary_listen_options, _ port: inout UInt16
    ) throws(HTTPServerError) -> Int32 {
        try HTTPServerError.check(
            granary_listen(configuration.host, &options, &port),
            "listen on \(configuration.host), port \(options.port)")
    }
}
