import Glibc
import MachineHost
import StateCapture
import Testing

@testable import SQLiteJournal

struct RowLogTests {
    private let directory: TestDirectory
    private var path: String { directory.path + "/rows" }

    init() throws {
        directory = try TestDirectory()
    }

    private func append(_ rows: [UInt8], to log: RowLog) throws {
        _ = try #require(log.position(forRows: rows.count))
        try rows.withUnsafeBytes { try log.append($0, inPlaceFor: rows.count) }
    }

    private func read(salt: UInt64, from first: UInt64) throws -> (records: [[UInt8]], end: UInt64?) {
        var records: [[UInt8]] = []
        let end = try RowLog.read(path, salt: salt, from: first) { records.append(Array($0)) }
        return (records, end)
    }

    /// Returns the records from a position on, as the process that has written them finds them.
    private func records(of log: RowLog) -> [[UInt8]] {
        var (records, next): ([[UInt8]], UInt64) = ([], log.tail)
        while let record = log.record(at: next) {
            records.append(Array(log.bytes(from: record.rows.lowerBound)[..<Int(record.rows.count)]))
            next = record.next
        }
        return records
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `records are found in their order, over many rounds of the file`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let log = try RowLog(path, capacity: 16 << 10, salt: seed)
        var (expected, rounds): ([[UInt8]], UInt64) = ([], 0)
        while rounds < 5 {
            // The position is where the rows are, also if fewer bytes are needed than were asked for.
            let count = Int.random(in: 1...log.largest, using: &random)
            let rows = [UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: count)
            let reserved = Int.random(in: count...log.largest, using: &random)
            var position = log.position(forRows: reserved)
            while position == nil {
                log.remove(before: try #require(log.record(at: log.tail)).next)
                expected.removeFirst()
                position = log.position(forRows: reserved)
            }
            try rows.withUnsafeBytes { try log.append($0, inPlaceFor: reserved) }
            expected.append(rows)
            #expect(Array(log.bytes(from: try #require(position))[..<count]) == rows)
            #expect(records(of: log) == expected)
            let found = try read(salt: seed, from: log.tail)
            #expect(found.records == expected && found.end == log.head)
            rounds = log.head / (16 << 10)
        }
        #expect(TestDirectory.mode(of: path) == 0o600)
    }

    @Test
    func `a record with a changed or a missing byte ends what is read`() throws {
        let log = try RowLog(path, capacity: 8 << 10, salt: 7)
        for number in 1...3 as ClosedRange<UInt8> { try append([UInt8](repeating: number, count: 600), to: log) }
        let (whole, last) = (try #require(TestDirectory.read(path)), 2 * 1024)
        for place in last..<last + RowLog.headerSize + 600 {
            var changed = whole
            changed[place] ^= 1 << UInt8(place % 8)
            TestDirectory.write(changed, to: path)
            let found = try read(salt: 7, from: 0)
            #expect(found.records.count == 2 && found.end == 2048, "\(place)")
        }
        for size in stride(from: 0, through: 3072, by: 512) {
            TestDirectory.write(Array(whole[..<size]), to: path)
            #expect(try read(salt: 7, from: 0).records.count < 3)
        }
        unlink(path)
        #expect(try read(salt: 7, from: 0).end == nil)
    }

    @Test
    func `nothing is read behind a record that is missing, also not in the next round of the file`() throws {
        let log = try RowLog(path, capacity: 8 << 10, salt: 7)
        // Eight records fit into the file, so that three are in its second round.
        for number in 1...11 as ClosedRange<UInt8> {
            if log.position(forRows: 600) == nil {
                log.remove(before: try #require(log.record(at: log.tail)).next)
            }
            try append([UInt8](repeating: number, count: 600), to: log)
        }
        #expect(try read(salt: 7, from: log.tail).records.map { $0[0] } == Array(4...11))
        let whole = try #require(TestDirectory.read(path))
        for damaged in 0..<5 as Range<UInt64> {
            var changed = whole
            let place = log.tail + damaged * 1024
            changed[Int(place) + 20] ^= 1
            TestDirectory.write(changed, to: path)
            let found = try read(salt: 7, from: log.tail)
            #expect(found.records.count == Int(damaged) && found.end == place)
        }
        TestDirectory.write(whole, to: path)
        // The record there was overwritten.
        let found = try read(salt: 7, from: 0)
        #expect(found.records == [] && found.end == 0)
    }

    @Test
    func `a position at which no record can be has none`() throws {
        let log = try RowLog(path, capacity: 8 << 10, salt: 7)
        try append([1], to: log)
        for position in [1, 511, UInt64(Int64.max) + 1, .max - 511, .max] {
            #expect(try read(salt: 7, from: position).records == [])
        }
    }

    @Test
    func `what another process has left is not taken for a record`() throws {
        let first = try RowLog(path, capacity: 8 << 10, salt: 7)
        for number in 1...5 as ClosedRange<UInt8> { try append([number], to: first) }
        let second = try RowLog(path, capacity: 8 << 10, salt: 8)
        try append([9], to: second)
        #expect(try read(salt: 8, from: 0).records == [[9]])
        #expect(try read(salt: 7, from: 0).records == [])
    }

    @Test
    func `rows are read as they were written`() throws {
        var batch = JournalBatch()
        let samples: [(number: UInt64, previous: UInt64, wakesAt: Int64?, content: [UInt8])] = [
            (1, 0, nil, []), (128, 1, .min, [1]), (1 << 62, 1 << 61, .max, [UInt8](repeating: 7, count: 300)),
            (16_384, 16_383, 0, [0xFF]),
        ]
        for sample in samples {
            batch.append(
                session: .sample(sample.number), number: sample.number, previous: sample.previous,
                wakesAt: sample.wakesAt
            ) { $0.append(contentsOf: sample.content) }
        }
        var written: [UInt8] = []
        batch.bytes.withUnsafeBytes { bytes in
            for case .append(let row) in batch.changes {
                LoggedRow.append(row, UnsafeRawBufferPointer(rebasing: bytes[row.content]), to: &written)
            }
        }
        #expect(written.count <= batch.bytes.count + samples.count * LoggedRow.overhead)
        written.withUnsafeBytes { bytes in
            var rest = bytes
            for sample in samples {
                let row = LoggedRow(&rest)
                #expect(row?.session == .sample(sample.number) && row?.number == sample.number)
                #expect(row?.previous == sample.previous && row?.wakesAt == sample.wakesAt)
                #expect(row.map { Array($0.content) } == sample.content)
            }
            #expect(rest.isEmpty)
            for size in 0..<bytes.count {
                var cut = UnsafeRawBufferPointer(rebasing: bytes[..<size])
                while LoggedRow(&cut) != nil {}
                #expect(cut.count <= size)
            }
        }
    }
}
