import Glibc

/// The counter of allocations, if the library that counts has been loaded before the program.
enum Allocations {
    private typealias Count = @convention(c) () -> UInt

    private static let read: Count? = {
        guard let symbol = dlsym(nil, "allocation_count") else { return nil }
        return unsafeBitCast(symbol, to: Count.self)
    }()

    /// How often the process has asked for memory, or nil when that is not counted.
    static var count: Int? {
        read.map { Int($0()) }
    }
}
