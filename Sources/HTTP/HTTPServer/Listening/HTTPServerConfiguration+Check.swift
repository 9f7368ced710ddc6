import CLinux
import HTTPModel

extension HTTPServerConfiguration {
    /// Returns the reasons why a server with this configuration could not listen, without listening: TLS listeners
    /// without a certificate, conflicting listeners, addresses that this machine does not have, ports that this process
    /// may not use, and folders of Unix sockets that do not exist or are not writable.
    ///
    /// Ports and sockets that another process uses are not reported, since that process may be the server to be
    /// replaced.
    public func listeningProblems() -> [HTTPServerError] {
        let listeners = effectiveListeners
        var problems = [missingCertificate(for: listeners), conflict(among: listeners)].compactMap(\.self)
        for listener in listeners {
            do throws(HTTPServerError) {
                try listener.place.check()
            } catch {
                problems.append(error)
            }
        }
        return problems
    }

    /// Returns an error if one of the listeners uses TLS and no certificate is configured.
    func missingCertificate(for listeners: [HTTPListener]) -> HTTPServerError? {
        guard tls == nil, let secure = listeners.first(where: \.isSecure) else { return nil }
        return HTTPServerError(
            reason: .certificateMissing,
            description: "The server cannot use TLS on \(secure.address): no certificate is configured.")
    }

    /// Returns an error if two listeners exclude each other.
    func conflict(among listeners: [HTTPListener]) -> HTTPServerError? {
        for (index, listener) in listeners.enumerated() {
            guard let other = listeners[..<index].first(where: { $0.place.excludes(listener.place) }) else { continue }
            return HTTPServerError(
                reason: .addressInUse,
                description:
                    "The server cannot listen on \(listener): \(other) is configured as well, which has the "
                    + "same address or includes it.")
        }
        return nil
    }
}

extension HTTPListener.Place {
    /// Returns whether a socket that listens here prevents another one from listening there. `::` leaves IPv4 to other
    /// listeners.
    fileprivate func excludes(_ other: HTTPListener.Place) -> Bool {
        switch (self, other) {
        case (.unix(let path, _), .unix(let otherPath, _)): return path == otherPath
        case (.address(let host, let port), .address(let otherHost, let otherPort)):
            // Port 0 is a different free port each time.
            guard port == otherPort, port != 0, let address = NumericAddress(host),
                let other = NumericAddress(otherHost),
                address.isVersion4 == other.isVersion4
            else { return false }
            return address == other || address.isEveryAddress || other.isEveryAddress
        default: return false
        }
    }

    fileprivate func check() throws(HTTPServerError) {
        switch self {
        case .unix(let path, _): try HTTPServerError.check(granary_check_socket_path(path), "listen on \(path)")
        case .address(let host, let port):
            try HTTPServerError.check(granary_check_address(host, port), "listen on \(host), port \(port)")
        }
    }
}

extension NumericAddress {
    /// Whether it is the wildcard address of its family: `0.0.0.0` or `::`.
    fileprivate var isEveryAddress: Bool { bits == 0 || bits == 0xFFFF_0000_0000 }
}
