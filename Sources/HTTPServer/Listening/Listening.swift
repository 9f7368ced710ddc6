import CLinux
import HTTPModel

/// Opens the listening sockets of a server: one for each loop, all on one port, which the kernel spreads connections over.
enum Listening {
    static func open(
        _ configuration: HTTPServerConfiguration, count: Int
    ) throws(HTTPServerError) -> (HTTPServerAddress, [Int32]) {
        var options = granary_listen_options(
            port: configuration.port, shares_port: 0, backlog: 0, unsent_limit: Int32(configuration.unsentBytes),
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
