import Synchronization

/// The names of a journal's properties that drivers and the host share.
public enum JournalProperty {
    /// Set, with any content, in a copy that a driver makes, and in a journal that may lack its newest batches. The host removes it when it
    /// opens the journal, and gives all sessions new epochs.
    public static let copied = "copied"
}

// What clients may have seen and the journal does not contain.
extension JournalWriter {
    private static let generationProperty = "generation"

    /// The generation by which the epochs of all stored sessions are moved, so that a new one gives each of them a new epoch, without a
    /// change of the stored sessions. Constant while the journal is open.
    var generation: Epoch { Epoch(bits: generationBits.load(ordering: .acquiring)) }

    /// Begins a new generation if clients may have seen versions that the journal does not contain: it is a copy, or the system
    /// has been started again since turns were stored without a flush.
    func renewGeneration(of journal: any Journal) throws {
        let stored = try StoredGeneration(journal.property(Self.generationProperty))
        let isCopy = try journal.property(JournalProperty.copied).map { !$0.isEmpty } ?? false
        let boot = bootID()
        // An unknown run is taken for another one.
        let isTorn = stored.boot != nil && (boot == nil || stored.boot != boot)
        var current = StoredGeneration(epoch: stored.epoch, boot: durability >= .disk ? nil : boot ?? "unknown")
        if isCopy || isTorn { current.epoch = .random() }
        generationBits.store(current.epoch.bits, ordering: .releasing)
        guard current != stored || isCopy else { return }
        var batch = JournalBatch()
        batch.add(.set(property: Self.generationProperty, value: current.content))
        if isCopy { batch.add(.set(property: JournalProperty.copied, value: [])) }
        // Flushed, because the power may fail next before anything else is.
        try journal.commit(batch, isFlushed: true)
    }
}

/// The generation of a journal, as one of its properties.
private struct StoredGeneration: Equatable {
    var epoch: Epoch
    /// The run of the system in which turns are stored without a flush; nil if each turn is flushed.
    var boot: String?

    init(epoch: Epoch, boot: String?) {
        (self.epoch, self.boot) = (epoch, boot)
    }

    /// Reads a property; nil is that of a new journal.
    init(_ property: [UInt8]?) throws {
        guard let property else {
            self.init(epoch: Epoch(bits: 0), boot: nil)
            return
        }
        var reader = RecordReader(property[...])
        guard let bits = try? reader.number(), let boot = try? reader.text(), reader.isAtEnd else {
            throw JournalError(
                .damaged, "expected the generation of the journal in one of its properties, got \(property.count) bytes"
            )
        }
        self.init(epoch: Epoch(bits: bits), boot: boot.isEmpty ? nil : boot)
    }

    var content: [UInt8] {
        var writer = RecordWriter()
        writer.append(epoch.bits)
        writer.append((boot ?? "").utf8)
        return writer.take()
    }
}
