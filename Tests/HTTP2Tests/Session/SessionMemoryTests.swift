import Glibc
import Testing

@testable import HTTP2

@Suite struct SessionMemoryTests {
    private let memory = SessionMemory.shared

    private func bytes(_ place: UnsafeMutableRawPointer, _ count: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: place, count: count)
    }

    @Test(arguments: [1, 3072, 3073, 4096, 4097, 16_394, 20_480, 20_481, 1 << 20])
    func `every size can be written to its last byte, and is zeroed if requested`(size: Int) throws {
        for _ in 0..<3 {
            let plain = try #require(memory.allocate(size, nil))
            memset(plain, 0xAA, size)
            let zeroed = try #require(memory.allocateZeroed(size, nil))
            #expect(bytes(zeroed, size).allSatisfy { $0 == 0 })
            memset(zeroed, 0xBB, size)
            #expect(bytes(plain, size).allSatisfy { $0 == 0xAA })
            memory.release(plain, nil)
            memory.release(zeroed, nil)
        }
    }

    @Test func `a reallocated block keeps its bytes`() throws {
        var place = memory.resize(nil, to: 100, nil)
        for size in [100, 3000, 4096, 5000, 20_480, 30_000] {
            place = memory.resize(place, to: size, nil)
            let whole = try #require(place)
            #expect(size == 100 || bytes(whole, 100).allSatisfy { $0 == 7 })
            memset(whole, 7, size)
        }
        memory.release(place, nil)
    }

    @Test func `blocks in use are never allocated twice`() throws {
        var places: [UnsafeMutableRawPointer] = []
        for size in [4096, 16_394] {
            for _ in 0..<200 { places.append(try #require(memory.allocate(size, nil))) }
        }
        for (index, place) in places.enumerated() where index.isMultiple(of: 3) { memory.release(place, nil) }
        let kept = places.enumerated().filter { !$0.offset.isMultiple(of: 3) }.map(\.element)
        let more = try (0..<100).map { _ in try #require(memory.allocate(16_394, nil)) }
        #expect(Set(kept + more).count == kept.count + more.count)
        for place in kept + more { memory.release(place, nil) }
    }

    @Test func `an unused buffer is released`() throws {
        let account = UnsafeMutablePointer<SessionMemory.Account>.allocate(capacity: 1)
        account.initialize(to: SessionMemory.Account())
        defer { account.deallocate() }
        let buffer = try #require(memory.allocate(16_394, account))
        #expect(account.pointee.frameBuffer == buffer)
        memset(buffer, 7, 16_394)
        memory.rest(account)
        #expect(bytes(buffer, 16_394).allSatisfy { $0 == 0 })
        memory.release(buffer, account)
        #expect(account.pointee.frameBuffer == nil)
    }

    @Test func `a table is released when it is empty`() throws {
        let account = UnsafeMutablePointer<SessionMemory.Account>.allocate(capacity: 1)
        account.initialize(to: SessionMemory.Account())
        defer { account.deallocate() }
        let table = try #require(memory.allocateZeroed(4096, account))
        #expect(account.pointee.table == table)
        bytes(table, 4096)[4095] = 1
        memory.rest(account)
        #expect(bytes(table, 4096)[4095] == 1)
        bytes(table, 4096)[4095] = 0
        memory.rest(account)
        #expect(bytes(table, 4096).allSatisfy { $0 == 0 })
        memory.release(table, account)
        #expect(account.pointee.table == nil)
    }
}
