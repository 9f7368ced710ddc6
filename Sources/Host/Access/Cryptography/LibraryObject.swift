/// The only owner of an object of the library.
// The objects are not changed after their creation: they are only read and duplicated, which the library allows on any
// thread.
final class LibraryObject: @unchecked Sendable {
    let pointer: OpaquePointer
    private let free: @Sendable (OpaquePointer) -> Void

    init(_ pointer: OpaquePointer, free: @escaping @Sendable (OpaquePointer) -> Void) {
        self.pointer = pointer
        self.free = free
    }

    deinit { free(pointer) }
}
