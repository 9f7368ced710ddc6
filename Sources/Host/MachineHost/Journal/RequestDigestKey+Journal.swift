extension RequestDigest.Key {
    private static let property = "digest-key"

    /// Reads the key of a journal. A new journal gets a random one.
    init(storedIn journal: any Journal) throws {
        if let stored = try journal.property(Self.property) {
            var reader = RecordReader(stored[...])
            guard let words = try? reader.digest(), reader.isAtEnd else {
                throw JournalError(
                    .damaged, "expected 16 bytes in the journal's property \"\(Self.property)\", got \(stored.count)")
            }
            self.init(low: words.low, high: words.high)
            return
        }
        self = .random()
        var writer = RecordWriter()
        writer.append(RequestDigest(low: low, high: high))
        var batch = JournalBatch()
        batch.add(.set(property: Self.property, value: writer.take()))
        try journal.commit(batch, isFlushed: true)
    }
}
