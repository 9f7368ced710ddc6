import Testing

@testable import HTTPServerTesting

@Suite struct HTTPTestFaultTests {
    @Test func `without incidents all bytes are sent, in one piece or in several`() {
        #expect(HTTPTestFault().steps(for: 5, from: 0) == [.send(0..<5)])
        #expect(HTTPTestFault.pieces(of: 2).steps(for: 5, from: 9) == [.send(0..<2), .send(2..<4), .send(4..<5)])
        #expect(HTTPTestFault.byteByByte.steps(for: 3, from: 0) == [.send(0..<1), .send(1..<2), .send(2..<3)])
        #expect(HTTPTestFault().steps(for: 0, from: 3).isEmpty)
    }

    @Test(arguments: [HTTPTestFault.Incident.close, .reset, .finishSending])
    func `nothing is sent after a cut`(_ incident: HTTPTestFault.Incident) {
        let fault = HTTPTestFault.cut(at: 3, by: incident)
        #expect(fault.steps(for: 5, from: 0) == [.send(0..<3), .meet(incident)])
        #expect(fault.steps(for: 2, from: 2) == [.send(0..<1), .meet(incident)])
        #expect(fault.steps(for: 2, from: 0) == [.send(0..<2)])
        // There may be no further bytes.
        #expect(fault.steps(for: 3, from: 0) == [.send(0..<3), .meet(incident)])
        #expect(HTTPTestFault.cut(at: 0, by: incident).steps(for: 5, from: 0) == [.meet(incident)])
    }

    @Test func `a delay happens once and the bytes after it are sent`() {
        let fault = HTTPTestFault.delay(.seconds(1), at: 2)
        #expect(fault.steps(for: 4, from: 0) == [.send(0..<2), .meet(.delay(.seconds(1))), .send(2..<4)])
        #expect(fault.steps(for: 2, from: 0) == [.send(0..<2), .meet(.delay(.seconds(1)))])
        #expect(fault.steps(for: 2, from: 2) == [.send(0..<2)])
    }

    @Test func `incidents happen in the order of their positions, between pieces`() {
        let fault = HTTPTestFault(pieces: 2, incidents: [3: .delay(.seconds(1)), 5: .close])
        #expect(
            fault.steps(for: 9, from: 0) == [
                .send(0..<2), .send(2..<3), .meet(.delay(.seconds(1))), .send(3..<5), .meet(.close),
            ])
    }
}
