/// The captured members of a machine: their keys and types.
///
/// Operators are not part of it: the state of one that does not fit is dropped, and the operator starts anew.
package struct StateShape: Equatable, Sendable {
    /// The name of each member's type, by the member's key.
    package let members: [String: String]

    /// Creates a shape.
    package init(_ members: [String: String]) {
        self.members = members
    }

    /// A digest of the shape, which is the same in every process.
    var digest: RequestDigest {
        var writer = RecordWriter()
        append(to: &writer)
        return RequestDigest.Key.public.digest(of: writer.take())
    }

    /// Returns the members of another shape that are missing here or have another type. New members are no difference: a
    /// restored machine has their initial values.
    func differences(from other: StateShape) -> [String] {
        other.members.sorted { $0.key < $1.key }.compactMap { key, type in
            switch members[key] {
            case type: nil
            case nil: "\(key) of type \(type) is missing"
            case let found?: "\(key) has type \(found) instead of \(type)"
            }
        }
    }

    func append(to writer: inout RecordWriter) {
        writer.append(UInt64(members.count))
        for (key, type) in members.sorted(by: { $0.key < $1.key }) {
            writer.append(key.utf8)
            writer.append(type.utf8)
        }
    }

    init(_ reader: inout RecordReader) throws(RecordReader.Damaged) {
        var members: [String: String] = [:]
        for _ in 0..<(try reader.count()) {
            let key = try reader.text()
            members[key] = try reader.text()
        }
        self.init(members)
    }
}

/// The shapes that builds have given one version of a machine's state, the newest last.
struct KnownShapes: Equatable {
    /// The decision about a build.
    enum Verdict: Equatable {
        /// A build with this shape has run before.
        case known
        /// The build adds members.
        case new
        /// The build cannot restore what another one with this version has stored.
        case refused([String])
    }

    /// The beginning of the names of the journal's properties.
    static let propertyPrefix = "shapes/"

    /// The property with the shapes of a machine's version.
    static func place(of machine: MachineDefinition) -> String {
        "\(propertyPrefix)\(machine.name)/\(machine.stateVersion)"
    }

    /// The change after which no shape of a machine's version is known.
    static func forgetting(_ machine: MachineDefinition) -> JournalBatch.Change {
        .set(property: place(of: machine), value: KnownShapes().content)
    }

    private(set) var shapes: [StateShape] = []

    /// The number of shapes that are kept. Older builds are compared with the newest shape.
    private static let maxCount = 16

    init() {}

    /// Decides about a build, and adds its shape if it is new.
    // Any shape that is known is accepted: the build before a deployment must be able to return, although it lacks the
    // members that the deployment has added.
    mutating func admit(_ shape: StateShape) -> Verdict {
        if shapes.contains(shape) { return .known }
        if let newest = shapes.last {
            let differences = shape.differences(from: newest)
            guard differences.isEmpty else { return .refused(differences) }
        }
        shapes.append(shape)
        if shapes.count > KnownShapes.maxCount { shapes.removeFirst() }
        return .new
    }

    /// Reads what ``content`` wrote.
    init(_ content: [UInt8]) throws(RecordReader.Damaged) {
        var reader = RecordReader(content[...])
        for _ in 0..<(try reader.count()) { shapes.append(try StateShape(&reader)) }
        guard reader.isAtEnd else { throw RecordReader.Damaged() }
    }

    /// The shapes as the value of a journal's property.
    var content: [UInt8] {
        var writer = RecordWriter()
        writer.append(UInt64(shapes.count))
        for shape in shapes { shape.append(to: &writer) }
        return writer.take()
    }
}

/// An error of a machine whose captured members have changed without a new version.
public struct StateShapeError: Error, Equatable, CustomStringConvertible {
    /// The machine.
    public let machine: String
    /// The version of its state.
    public let version: Int
    /// The members that differ, as clauses.
    public let differences: [String]

    /// The error as a sentence that says what to do.
    public var description: String {
        "machine \"\(machine)\": the shape of its state changed, the version did not: \(differences.joined(separator: "; ")). "
            + "Stored sessions have version \(version): give the machine version \(version + 1) and a migration from "
            + "\(version), or restore the members."
    }
}

extension MachineCatalogue {
    /// Compares the shapes of the machines with those in a journal, and stores the new ones.
    ///
    /// - Parameter stores: Whether new shapes are stored.
    /// - Throws: ``StateShapeError`` for the first machine whose shape changed without a new version, or the error of the
    ///   journal.
    func checkShapes(in journal: any Journal, stores: Bool = true) throws {
        let batch = try newShapes { try journal.property($0) }
        if stores, !batch.isEmpty { try journal.commit(batch, isFlushed: true) }
    }

    /// Returns the change that stores the shapes that are new.
    ///
    /// - Parameter property: Returns a property of the journal.
    func newShapes(_ property: (String) throws -> [UInt8]?) throws -> JournalBatch {
        var batch = JournalBatch()
        for machine in machines where machine.durability > .memory {
            guard let shape = machine.definition.stateShape else { continue }
            let (name, version) = (machine.definition.name, machine.definition.stateVersion)
            let place = KnownShapes.place(of: machine.definition)
            let stored = try property(place)
            guard var known = stored.map({ try? KnownShapes($0) }) ?? KnownShapes() else {
                throw JournalError(
                    .damaged,
                    "expected the shapes of machine \"\(name)\" in the journal's property \"\(place)\", got \(stored?.count ?? 0) bytes"
                )
            }
            switch known.admit(shape) {
            case .known: break
            case .new: batch.add(.set(property: place, value: known.content))
            case .refused(let differences):
                throw StateShapeError(machine: name, version: version, differences: differences)
            }
        }
        return batch
    }
}

extension SessionHost {
    /// Compares the shapes of the machines with those of a journal that another process has opened.
    ///
    /// - Parameter property: Returns a property of the journal.
    /// - Throws: ``StateShapeError``, or the error of the closure.
    package func checkShapes(_ property: (String) throws -> [UInt8]?) throws {
        _ = try catalogue.newShapes(property)
    }
}
