/// A problem that an operator has to solve, for example with a file or with another process.
struct OperatorError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
