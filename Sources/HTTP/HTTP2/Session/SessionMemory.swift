import CNGHTTP2
import Glibc
import Locking

/// The memory of the library's sessions. Large blocks get separate pages in one reserved part of the address space; all
/// other blocks come from the C library.
///
/// A session has a buffer of 16 KiB for the frame it produces, of which usually only the first few hundred bytes are
/// used, and a table of 4 KiB for its streams, which stays empty while there are none. Among other allocations, these
/// blocks would be in pages that were written before, so each connection would occupy them completely. In separate
/// pages, they occupy only the pages that were written, and the buffer's pages can be released while nothing is sent.
///
/// Sendable: the address of the reserved part is constant, and the free slots are behind locks.
final class SessionMemory: @unchecked Sendable {
    static let shared = SessionMemory()

    /// Slots of one size.
    private struct Slots {
        let start: Int
        let size: Int
        let count: Int
        var used = 0
        var free: [Int32] = []

        init(start: Int, size: Int, count: Int) {
            (self.start, self.size, self.count) = (start, size, count)
        }

        mutating func take() -> Int? {
            if let slot = free.popLast() { return start + Int(slot) * size }
            guard used < count else { return nil }
            defer { used += 1 }
            return start + used * size
        }

        mutating func release(_ offset: Int) {
            free.append(Int32(truncatingIfNeeded: (offset - start) / size))
        }
    }

    /// The blocks of a session that can be released while it rests.
    struct Account {
        var frameBuffer: UnsafeMutableRawPointer?
        /// The first table, which is the table of streams.
        var table: UnsafeMutableRawPointer?
    }

    private static let page = 4096
    /// The size of the buffer including the library's overhead.
    static let bufferSize = 5 * page
    static let tableSize = page
    /// Smaller blocks are not tables. A slot would waste part of a page, and they are never empty.
    private static let smallestSlotted = 3 * page / 4
    private static let slotCount = 32 << 10
    private static let size = slotCount * (bufferSize + tableSize)

    private let base: UnsafeMutableRawPointer?
    private let buffers = Lock(Slots(start: 0, size: SessionMemory.bufferSize, count: SessionMemory.slotCount))
    private let tables = Lock(
        Slots(
            start: SessionMemory.slotCount * SessionMemory.bufferSize, size: SessionMemory.tableSize,
            count: SessionMemory.slotCount))

    private init() {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        let place = mmap(nil, SessionMemory.size, PROT_READ | PROT_WRITE, flags, -1, 0)
        // If no address space is available, for example because of a ulimit, all memory comes from the C library.
        base = place == MAP_FAILED ? nil : place
    }

    /// Returns the allocation functions for the library.
    static func functions(_ account: UnsafeMutablePointer<Account>) -> nghttp2_mem {
        nghttp2_mem(
            mem_user_data: account,
            malloc: { size, user in SessionMemory.shared.allocate(size, SessionMemory.account(user)) },
            free: { place, user in SessionMemory.shared.release(place, SessionMemory.account(user)) },
            calloc: { count, size, user in
                let (total, overflow) = count.multipliedReportingOverflow(by: size)
                return overflow ? nil : SessionMemory.shared.allocateZeroed(total, SessionMemory.account(user))
            },
            realloc: { place, size, user in SessionMemory.shared.resize(place, to: size, SessionMemory.account(user)) })
    }

    private static func account(_ user: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Account>? {
        user?.assumingMemoryBound(to: Account.self)
    }

    /// Releases the pages of a session's buffer while the library does not use it, that is, while no frame is being
    /// sent. Also releases its table if all bytes are zero: a released page reads as zeros, so it stays the same.
    func rest(_ account: UnsafeMutablePointer<Account>) {
        if let buffer = account.pointee.frameBuffer { madvise(buffer, SessionMemory.bufferSize, MADV_DONTNEED) }
        guard let table = account.pointee.table else { return }
        let words = UnsafeRawBufferPointer(start: table, count: SessionMemory.tableSize).bindMemory(to: UInt64.self)
        var all: UInt64 = 0
        for word in words { all |= word }
        if all == 0 { madvise(table, SessionMemory.tableSize, MADV_DONTNEED) }
    }

    func allocate(_ size: Int, _ account: UnsafeMutablePointer<Account>?) -> UnsafeMutableRawPointer? {
        guard let slot = takeSlot(size) else { return malloc(size) }
        if size > SessionMemory.tableSize, account?.pointee.frameBuffer == nil { account?.pointee.frameBuffer = slot }
        return slot
    }

    /// The pages of a slot are released when the slot is freed, so every slot is zero when it is allocated.
    func allocateZeroed(_ size: Int, _ account: UnsafeMutablePointer<Account>?) -> UnsafeMutableRawPointer? {
        guard let slot = takeSlot(size) else { return calloc(1, size) }
        if size <= SessionMemory.tableSize, account?.pointee.table == nil { account?.pointee.table = slot }
        return slot
    }

    func release(_ place: UnsafeMutableRawPointer?, _ account: UnsafeMutablePointer<Account>?) {
        guard let place, let offset = offset(of: place) else { return free(place) }
        if account?.pointee.frameBuffer == place { account?.pointee.frameBuffer = nil }
        if account?.pointee.table == place { account?.pointee.table = nil }
        madvise(place, slotSize(at: offset), MADV_DONTNEED)
        if slotSize(at: offset) == SessionMemory.bufferSize {
            buffers.withLock { $0.release(offset) }
        } else {
            tables.withLock { $0.release(offset) }
        }
    }

    func resize(
        _ place: UnsafeMutableRawPointer?, to size: Int, _ account: UnsafeMutablePointer<Account>?
    ) -> UnsafeMutableRawPointer? {
        guard let place else { return allocate(size, account) }
        guard let offset = offset(of: place) else { return realloc(place, size) }
        guard size > slotSize(at: offset) else { return place }
        guard let larger = allocate(size, account) else { return nil }
        memcpy(larger, place, slotSize(at: offset))
        release(place, account)
        return larger
    }

    private func takeSlot(_ size: Int) -> UnsafeMutableRawPointer? {
        guard let base, size > SessionMemory.smallestSlotted, size <= SessionMemory.bufferSize else { return nil }
        let offset =
            size <= SessionMemory.tableSize
            ? tables.withLock { $0.take() } : buffers.withLock { $0.take() }
        return offset.map { base + $0 }
    }

    private func offset(of place: UnsafeMutableRawPointer) -> Int? {
        guard let base, place >= base, place < base + SessionMemory.size else { return nil }
        return place - base
    }

    private func slotSize(at offset: Int) -> Int {
        offset < SessionMemory.slotCount * SessionMemory.bufferSize ? SessionMemory.bufferSize : SessionMemory.tableSize
    }
}
