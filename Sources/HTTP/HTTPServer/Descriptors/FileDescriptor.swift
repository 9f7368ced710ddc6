import CLinux

/// The only owner of a file descriptor, which is closed at the end of the owner's lifetime.
///
/// It protects descriptors from leaking between their creation and the place that closes them, in particular where
/// something throws in between. ``take()`` ends the ownership without closing.
struct FileDescriptor: ~Copyable, Sendable {
    /// The descriptor, valid during the lifetime of the owner.
    let number: Int32

    /// Takes ownership of the result of a system call, or returns `nil` if it is an error.
    init?(opened result: Int32) {
        guard result >= 0 else { return nil }
        number = result
    }

    /// Takes ownership of the result of a system call, or throws if it is an error.
    init(_ result: Int32, _ purpose: @autoclosure () -> String) throws(HTTPServerError) {
        number = try HTTPServerError.check(result, purpose())
    }

    deinit {
        granary_close(number)
    }

    /// Returns the descriptor, which then belongs to the caller.
    consuming func take() -> Int32 {
        let number = number
        discard self
        return number
    }
}

/// The only owner of several file descriptors, which are closed at the end of the owner's lifetime.
struct FileDescriptorList: ~Copyable {
    // An array of owners is not possible, because an array's elements have to be copyable.
    private var numbers: [Int32] = []

    @discardableResult
    mutating func append(_ descriptor: consuming FileDescriptor) -> Int32 {
        let number = descriptor.take()
        numbers.append(number)
        return number
    }

    deinit {
        for number in numbers { granary_close(number) }
    }

    /// Returns the descriptors in order. They then belong to the caller.
    consuming func take() -> [Int32] {
        // Emptied instead of discarded, which a type with an array cannot be.
        let taken = numbers
        numbers = []
        return taken
    }
}
