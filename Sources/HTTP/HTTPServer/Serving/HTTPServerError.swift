import CLinux
import Glibc

/// The reason why a server could not start.
public struct HTTPServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Reason: Hashable, Sendable {
        /// Another socket listens on the address and port, or at the path.
        case addressInUse
        /// The host is not a numeric address, or not an address of this machine.
        case addressInvalid
        /// This process may not use the port.
        case notPermitted
        /// An inherited descriptor is not a listening socket, or its name has no meaning.
        case socketInvalid
        /// A listener uses TLS, but no certificate is configured.
        case certificateMissing
        /// The server has been started before.
        case alreadyStarted
        /// Another error of the operating system.
        case system
    }

    /// The kind of error.
    public let reason: Reason
    /// The failure and its cause, as a sentence.
    public let description: String

    /// Returns the result of a system call, or throws the error that corresponds to a negative result.
    @discardableResult
    static func check(_ result: Int32, _ purpose: @autoclosure () -> String) throws(HTTPServerError) -> Int32 {
        guard result < 0 else { return result }
        let reason: Reason =
            switch -result {
            case EADDRINUSE: .addressInUse
            // bind(2) reports all of these for addresses and paths that cannot be used.
            case EINVAL, EADDRNOTAVAIL, EAFNOSUPPORT, ENOTSOCK, ENOENT, ENOTDIR, ENAMETOOLONG: .addressInvalid
            case EACCES, EPERM: .notPermitted
            default: .system
            }
        throw HTTPServerError(
            reason: reason,
            description: "The server could not \(purpose()): \(String(cString: granary_error_text(-result))).")
    }
}
