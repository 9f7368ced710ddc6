import Testing

@testable import GranaryClient

struct SessionPositionTests {
    /// A session whose stream has shown a version.
    private func shown(_ version: UInt64, epoch: String = "e") -> SessionPosition {
        var position = SessionPosition(version: 0)
        #expect(position.snapshot(at: "\(epoch).\(version)") == .replace)
        return position
    }

    @Test func `the first snapshot replaces the outputs of the creation`() {
        var position = SessionPosition(version: 7)
        #expect(position.snapshot(at: "e.7") == .replace)
        #expect(position.version == 7)
    }

    @Test func `a first snapshot that a response has overtaken is skipped, and so is the turn`() {
        var position = SessionPosition(version: 0)
        #expect(position.response(version: 1) == .merge)
        #expect(position.snapshot(at: "e.0") == .skip)
        #expect(position.change(at: "e.1") == .skip)
        #expect(position.change(at: "e.2") == .merge)
        // A lower version than that of the creation is of another history.
        var other = SessionPosition(version: 5)
        #expect(other.response(version: 6) == .merge)
        #expect(other.snapshot(at: "f.2") == .replace)
        #expect(other.version == 2)
    }

    @Test func `a change is news once`() {
        var position = shown(7)
        #expect(position.change(at: "e.8") == .merge)
        #expect(position.change(at: "e.8") == .skip)
        #expect(position.change(at: "e.9") == .merge)
    }

    @Test func `the response to an input is shown before the same turn on the stream, which is skipped`() {
        var position = shown(7)
        #expect(position.response(version: 8) == .merge)
        #expect(position.change(at: "e.8") == .skip)
        #expect(position.change(at: "e.9") == .merge)
        #expect(position.version == 9)
    }

    @Test func `a response behind the stream is skipped`() {
        var position = shown(7)
        #expect(position.change(at: "e.8") == .merge)
        #expect(position.response(version: 8) == .skip)
    }

    @Test func `a response ahead of other turns is left to the stream`() {
        var position = shown(7)
        #expect(position.response(version: 9) == .skip)
        #expect(position.change(at: "e.8") == .merge)
        #expect(position.change(at: "e.9") == .merge)
    }

    @Test func `a response before the first snapshot is shown, and the snapshot confirms it`() {
        var fresh = SessionPosition(version: 0)
        #expect(fresh.response(version: 1) == .merge)
        #expect(fresh.snapshot(at: "e.1") == .replace)
        #expect(fresh.change(at: "e.2") == .merge)
    }

    @Test func `a snapshot that a response has overtaken is skipped, and the turn after it too`() {
        var position = shown(7)
        #expect(position.response(version: 8) == .merge)
        #expect(position.snapshot(at: "e.7") == .skip)
        #expect(position.change(at: "e.8") == .skip)
        #expect(position.snapshot(at: "e.8") == .replace)
    }

    @Test func `another epoch makes every version news`() {
        var position = shown(7)
        #expect(position.snapshot(at: "f.3") == .replace)
        #expect(position.version == 3)
        #expect(position.change(at: "f.4") == .merge)
        #expect(position.change(at: "g.1") == .merge)
    }

    @Test func `positions of an unknown form are news without a version`() {
        var position = shown(7)
        #expect(position.snapshot(at: "opaque") == .replace)
        #expect(position.version == nil)
        #expect(position.change(at: "opaque") == .merge)
        #expect(position.response(version: 1) == .skip)
        #expect(position.change(at: "e.x") == .merge)
    }

    @Test func `the largest version does not overflow`() {
        var position = shown(.max)
        #expect(position.response(version: 0) == .skip)
        #expect(position.change(at: "e.0") == .skip)
    }
}
