import CLinux
import Glibc

/// Why a server could not start.
public struct HTTPServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What kind of reason it is.
    public enum Reason: Hashable, Sendable {
        /// Another socket listens on that address and port, or at that path.
        case addressInUse
        /// The host is no numeric address, or none of this machine.
        case addressInvalid
        /// The port is one that this process may not use.
        case notPermitted
        /// What another process has handed over is no socket that listens, or its name does not say what for.
        case socketInvalid
        /// A listener is to speak TLS, and nothing says with which certificates.
        case certificateMissing
        /// The server has been started before.
        case alreadyStarted
        /// The system refused something else.
        case system
    }

    /// The kind of reason.
    public let reason: Reason
    /// What could not be done and why, as a sentence.
    public let description: String

    init(reason: Reason, description: String) {
        self.reason = reason
        self.description = description
    }

    /// The answer of a system call, or the error that it tells.
    @discardableResult
    static func check(_ result: Int32, _ purpose: @autoclosure () -> String) throws(HTTPServerError) -> Int32 {
        guard result < 0 else { return result }
        let reason: Reason =
            switch -result {
            case EADDRINUSE: .addressInUse
            case EINVAL, EADDRNOTAVAIL, EAFNOSUPPORT, ENOTSOCK, ENOENT, ENOTDIR, ENAMETOOLONG: .addressInvalid
            case EACCES, EPERM: .notPermitted
            default: .system
            }
        throw HTTPServerError(
            reason: reason,
            description: "The server could not \(purpose()): \(String(cString: granary_error_text(-result))).")
    }
}
