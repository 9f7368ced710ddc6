import CLinux
import Glibc
import Testing

@testable import HTTPServer

@Suite struct FileDescriptorTests {
    /// One end of a connection whose other end shows whether this one is open.
    private struct Ends {
        let owned: Int32
        let other: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(granary_memory_pair(&ends, 0) == 0)
            (owned, other) = (ends[0], ends[1])
        }

        /// Whether the owned end is open. No other test can affect this, unlike the number of the descriptor.
        var isOpen: Bool {
            var byte: UInt8 = 0
            return granary_receive(other, &byte, 1) == Int(-EAGAIN)
        }
    }

    @Test func `a descriptor is closed with its owner`() throws {
        let ends = try Ends()
        do {
            let descriptor = try FileDescriptor(ends.owned, "open")
            let number = descriptor.number
            #expect(number == ends.owned && ends.isOpen)
            _ = consume descriptor
        }
        #expect(!ends.isOpen)
        granary_close(ends.other)
    }

    @Test func `a descriptor that was taken stays open`() throws {
        let ends = try Ends()
        let number = try FileDescriptor(ends.owned, "open").take()
        #expect(number == ends.owned && ends.isOpen)
        granary_close(number)
        #expect(!ends.isOpen)
        granary_close(ends.other)
    }

    @Test func `the result of a failed call is not a descriptor`() {
        // An expectation needs copyable operands.
        let isNone = FileDescriptor(opened: -EMFILE) == nil
        #expect(isNone)
        let error = #expect(throws: HTTPServerError.self) {
            _ = try FileDescriptor(-EMFILE, "open a file")
        }
        #expect(error?.description == "The server could not open a file: Too many open files.")
    }

    @Test(arguments: [false, true])
    func `a list closes its descriptors unless they are taken`(areTaken: Bool) throws {
        let all = try [Ends(), Ends()]
        do {
            var list = FileDescriptorList()
            for ends in all {
                let number = list.append(try FileDescriptor(ends.owned, "open"))
                #expect(number == ends.owned)
            }
            if areTaken {
                let taken = list.take()
                #expect(taken == all.map(\.owned))
            }
        }
        #expect(all.map(\.isOpen) == [areTaken, areTaken])
        for ends in all {
            if areTaken { granary_close(ends.owned) }
            granary_close(ends.other)
        }
    }
}
