import Testing

@testable import MachineHost

struct StateShapeTests {
    private let first = StateShape(["store.0.count": "Int", "store.0.name": "String"])

    @Test func `missing members and other types are differences, new members are none`() {
        let other = StateShape(["store.0.count": "Double", "store.0.added": "Int"])
        #expect(
            other.differences(from: first) == [
                "store.0.count has type Double instead of Int", "store.0.name of type String is missing",
            ])
        let larger = StateShape(first.members.merging(["store.0.added": "Int"]) { $1 })
        #expect(larger.differences(from: first) == [])
    }

    @Test func `a shape is known, new or refused`() {
        var known = KnownShapes()
        #expect(known.admit(first) == .new)
        #expect(known.admit(first) == .known)
        let removed = StateShape(["store.0.count": "Int"])
        #expect(known.admit(removed) == .refused(["store.0.name of type String is missing"]))
        #expect(known.shapes == [first])
    }

    @Test func `the build before one that has added members may return`() {
        var known = KnownShapes()
        _ = known.admit(first)
        let larger = StateShape(first.members.merging(["store.0.added": "Int"]) { $1 })
        #expect(known.admit(larger) == .new)
        #expect(known.admit(first) == .known)
        let other = StateShape(first.members.merging(["store.0.other": "Int"]) { $1 })
        #expect(known.admit(other) == .refused(["store.0.added of type Int is missing"]))
    }

    @Test func `the known shapes are read as they were written`() throws {
        var known = KnownShapes()
        _ = known.admit(first)
        _ = known.admit(StateShape(first.members.merging(["größe": "Int?"]) { $1 }))
        #expect(try KnownShapes(known.content) == known)
        #expect(throws: RecordReader.Damaged.self) { try KnownShapes(Array(known.content.dropLast())) }
    }

    @Test func `the digest depends on keys and types only`() {
        #expect(first.digest == StateShape(["store.0.name": "String", "store.0.count": "Int"]).digest)
        #expect(first.digest != StateShape(["store.0.count": "Int"]).digest)
        #expect(first.digest != StateShape(["store.0.count": "Int", "store.0.name": "Int"]).digest)
    }

    @Test func `shapes that cannot be read are damage, and no change of the program`() throws {
        var machine = counter()
        (machine.captureObstacles, machine.stateShape) = ([], first)
        let catalogue = try MachineCatalogue([machine], stored: .disk)
        let error = #expect(throws: JournalError.self) { _ = try catalogue.newShapes { _ in [9] } }
        #expect(error?.kind == .damaged && error?.detail.contains("shapes of machine \"\(machine.name)\"") == true)
    }

    @Test func `a journal refuses a build whose shape has changed without a new version`() throws {
        let journal = MemoryJournal()
        func catalogue(_ shape: StateShape, version: Int = 1) throws -> MachineCatalogue {
            var machine = counter()
            machine.captureObstacles = []
            machine.stateShape = shape
            return try MachineCatalogue([machine.versioned(version)], stored: .disk)
        }
        try catalogue(first).checkShapes(in: journal)
        try catalogue(first).checkShapes(in: journal)
        let changed = StateShape(["store.0.count": "String", "store.0.name": "String"])
        let error = #expect(throws: StateShapeError.self) { try catalogue(changed).checkShapes(in: journal) }
        #expect(
            error?.description
                == "machine \"scripted\": the shape of its state changed, the version did not: store.0.count has type String "
                + "instead of Int. Stored sessions have version 1: give the machine version 2 and a migration from 1, or "
                + "restore the members.")
        try catalogue(changed, version: 2).checkShapes(in: journal)
        try catalogue(first, version: 1).checkShapes(in: journal)
    }
}
