import CLinux

/// A problem that an operator has to solve, for example with a file or with another process.
struct OperatorError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Creates the error of a system call for the value of a configuration key.
    init(_ key: String, expectedTo action: String, _ error: Int32) {
        description = "\(key): expected to \(action), got: \(String(cString: granary_error_text(error)).lowercased())"
    }
}
