/// An input that ends the process.
enum Trap {
    /// The mark that does.
    private static let mark = "trap"

    /// Traps if the mark says so, like a machine that trusts an index.
    static func spring(by mark: String) {
        guard mark == Trap.mark else { return }
        let none: [Int] = []
        print(none[mark.utf8.count])
    }
}
