/// A fault in the transmission of a client's bytes.
///
/// Positions count bytes on the wire, including TLS records and the handshake, from the moment at which the fault is
/// set.
public struct HTTPTestFault: Hashable, Sendable {
    /// An incident at a position.
    public enum Incident: Hashable, Sendable {
        /// A pause. A virtual server advances its clock; otherwise the test waits.
        case delay(Duration)
        /// The client half-closes the connection and continues to receive.
        case finishSending
        /// The client closes the connection.
        case close
        /// The client resets the connection.
        case reset

        /// Whether no more bytes are sent.
        var isCut: Bool {
            if case .delay = self { false } else { true }
        }
    }

    /// The number of bytes that are sent at a time, or `nil` for all at once. The server processes each piece
    /// separately.
    public var pieces: Int?
    /// The incidents, by the position of the byte before which they happen.
    public var incidents: [Int: Incident]

    /// Creates a fault from its parts.
    public init(pieces: Int? = nil, incidents: [Int: Incident] = [:]) {
        self.pieces = pieces
        self.incidents = incidents
    }

    /// Sends each byte separately.
    public static let byteByByte = HTTPTestFault(pieces: 1)

    /// Returns a fault that sends the bytes in pieces of a size.
    public static func pieces(of count: Int) -> HTTPTestFault { HTTPTestFault(pieces: count) }

    /// Returns a fault that sends a number of bytes and then nothing more.
    public static func cut(at position: Int, by incident: Incident = .close) -> HTTPTestFault {
        HTTPTestFault(incidents: [position: incident])
    }

    /// Returns a fault that pauses after a number of bytes.
    public static func delay(_ duration: Duration, at position: Int) -> HTTPTestFault {
        HTTPTestFault(incidents: [position: .delay(duration)])
    }
}

extension HTTPTestFault {
    /// A step of sending bytes.
    enum Step: Equatable {
        case send(Range<Int>)
        case meet(Incident)
    }

    /// Returns the steps for sending `count` bytes from position `start`. There are none after a cut.
    func steps(for count: Int, from start: Int) -> [Step] {
        var steps: [Step] = []
        var position = start
        let end = start + count
        // An incident at the end happens now, because there may never be another byte.
        let places = incidents.keys.filter { $0 >= start && $0 <= end }.sorted()
        for place in places {
            guard let incident = incidents[place], place > start || start == 0 || incident.isCut else { continue }
            append(position..<place, start, to: &steps)
            steps.append(.meet(incident))
            if incident.isCut { return steps }
            position = place
        }
        append(position..<end, start, to: &steps)
        return steps
    }

    private func append(_ range: Range<Int>, _ start: Int, to steps: inout [Step]) {
        let size = max(1, pieces ?? range.count)
        for lower in stride(from: range.lowerBound, to: range.upperBound, by: size) {
            steps.append(.send((lower - start)..<(min(lower + size, range.upperBound) - start)))
        }
    }
}
