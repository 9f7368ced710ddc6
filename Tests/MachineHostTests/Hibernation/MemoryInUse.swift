import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The memory of the process.
enum MemoryInUse {
    /// The resident memory, in bytes.
    static var resident: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }

    /// Returns the size of the instances of an object's class, without what the allocator adds.
    static func instanceSize(of object: AnyObject) -> Int {
        // The metadata of a class: the kind, the superclass, the flags and the address point of its instances, and their size.
        Int(unsafeBitCast(type(of: object), to: UnsafeRawPointer.self).load(fromByteOffset: 24, as: UInt32.self))
    }

    /// Returns the bytes that an object occupies on the heap; nil if the system does not report it.
    static func size(of object: AnyObject) -> Int? {
        size(at: Unmanaged.passUnretained(object).toOpaque())
    }

    /// Returns the bytes of an allocation; nil if the system does not report it.
    static func size(at address: UnsafeMutableRawPointer) -> Int? {
        typealias Function = @convention(c) (UnsafeMutableRawPointer?) -> Int
        guard let function = dlsym(nil, "malloc_usable_size") else { return nil }
        return unsafeBitCast(function, to: Function.self)(address)
    }
}
