import CNGHTTP2
import Glibc
import Locking

/// The memory of the library's sessions. What is large lies in pages of its own, in one reserved part of the address space; all
/// else comes from the C library.
///
/// A session has a buffer of 16 KiB for the frame that it makes, of which mostly the first few hundred bytes are used, and a
/// table of 4 KiB for its streams, which stays empty where there are none. Among other allocations they lie in pages that
/// something else has touched before, so that each connection holds all of it. In pages of their own they hold what was
/// written, and the buffer can be let go of while nothing is sent.
///
/// Sendable: the place of the reserved part is constant, and which slots are free is behind a lock.
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

        mutating func giveBack(_ offset: Int) {
            free.append(Int32(truncatingIfNeeded: (offset - start) / size))
        }
    }

    /// What a session remembers of its memory.
    struct Account {
        var frameBuffer: UnsafeMutableRawPointer?
        /// The first table, which is that of the streams.
        var table: UnsafeMutableRawPointer?
    }

    private static let page = 4096
    /// The buffer with what the library adds to it.
    static let bufferSize = 5 * page
    static let tableSize = page
    /// What is not larger is no table: it would waste a part of a page, and is never empty.
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
        // Where there is no such room, all comes from the C library.
        base = place == MAP_FAILED ? nil : place
    }

    /// How the library is to get its memory.
    static func functions(_ account: UnsafeMutablePointer<Account>) -> nghttp2_mem {
        nghttp2_mem(
            mem_user_data: account,
            malloc: { size, user in SessionMemory.shared.allocate(size, SessionMemory.ledger(user)) },
            free: { place, user in SessionMemory.shared.release(place, SessionMemory.ledger(user)) },
            calloc: { count, size, user in
                let (total, overflow) = count.multipliedReportingOverflow(by: size)
                return overflow ? nil : SessionMemory.shared.allocateZeroed(total, SessionMemory.ledger(user))
            },
            realloc: { place, size, user in SessionMemory.shared.resize(place, to: size, SessionMemory.ledger(user)) })
    }

    private static func ledger(_ user: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Account>? {
        user?.assumingMemoryBound(to: Account.self)
    }

    /// Lets go of what is in a session's buffer, while the library has no use for it: no frame is being sent. And of its
    /// table if that is empty: a page of zeros reads the same when it is let go of.
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

    /// A slot that is given back is let go of, so that each is zero when it is taken.
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
            buffers.withLock { $0.giveBack(offset) }
        } else {
            tables.withLock { $0.giveBack(offset) }
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
