import Glibc

/// The allocation counter, if its library was preloaded.
enum Allocations {
    private typealias Count = @convention(c) () -> UInt

    private static let read: Count? = {
        guard let symbol = dlsym(nil, "allocation_count") else { return nil }
        return unsafeBitCast(symbol, to: Count.self)
    }()

    /// The number of allocations of the process, or `nil` if they are not counted.
    static var count: Int? {
        read.map { Int($0()) }
    }
}
