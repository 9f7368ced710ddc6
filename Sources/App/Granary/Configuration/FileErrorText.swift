import CLinux
import FoundationEssentials
import Glibc

/// Describes errors of reading files.
enum FileErrorText {
    /// Returns the reason of a Foundation error, as a phrase that follows "could not be read: ".
    static func reason(of error: any Error) -> String {
        switch (error as? CocoaError)?.code {
        case .fileReadNoSuchFile: "no such file"
        case .fileReadNoPermission: "permission denied"
        default:
            if let cause = (error as? CocoaError)?.userInfo["NSUnderlyingError"] as? POSIXError {
                String(cString: granary_error_text(cause.code.rawValue)).lowercased()
            } else {
                "\(error)"
            }
        }
    }
}
