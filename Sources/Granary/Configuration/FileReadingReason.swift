import CLinux
import FoundationEssentials
import Glibc

/// Why a file cannot be read, in words that follow "cannot be read: ".
enum FileReadingReason {
    /// The reason that an error of Foundation states.
    static func text(of error: any Error) -> String {
        switch (error as? CocoaError)?.code {
        case .fileReadNoSuchFile: "there is no such file"
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
