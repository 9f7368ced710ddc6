/// What goes wrong on the way of a client's bytes, as they are on the wire: under TLS its records are counted, handshake
/// included. Positions begin with 0 where the fault is set.
public struct HTTPTestFault: Hashable, Sendable {
    /// What happens at a position.
    public enum Incident: Hashable, Sendable {
        /// Nothing comes for so long: the time of a virtual server passes, or the test waits.
        case delay(Duration)
        /// The client ends its side, and reads on (a half-closed connection).
        case finishSending
        /// The client closes the connection.
        case close
        /// The client breaks the connection off (`RST`).
        case reset

        /// Whether nothing is sent any more.
        var isCut: Bool {
            if case .delay = self { false } else { true }
        }
    }

    /// How many bytes come at a time, each time with the server looking at them; `nil` for all at once.
    public var pieces: Int?
    /// What happens in front of the byte at a position.
    public var incidents: [Int: Incident]

    /// A fault with all its parts.
    public init(pieces: Int? = nil, incidents: [Int: Incident] = [:]) {
        self.pieces = pieces
        self.incidents = incidents
    }

    /// Every byte comes by itself.
    public static let byteByByte = HTTPTestFault(pieces: 1)

    /// The bytes come in pieces of that size.
    public static func pieces(of count: Int) -> HTTPTestFault { HTTPTestFault(pieces: count) }

    /// So many bytes come, then nothing more.
    public static func cut(at position: Int, by incident: Incident = .close) -> HTTPTestFault {
        HTTPTestFault(incidents: [position: incident])
    }

    /// So many bytes come, then nothing for a while, then the rest.
    public static func delay(_ duration: Duration, at position: Int) -> HTTPTestFault {
        HTTPTestFault(incidents: [position: .delay(duration)])
    }
}

extension HTTPTestFault {
    /// A part of what is to be sent.
    enum Step: Equatable {
        case send(Range<Int>)
        case meet(Incident)
    }

    /// How so many bytes go out behind those that have gone already: nothing of them behind a cut.
    func steps(for count: Int, from start: Int) -> [Step] {
        var steps: [Step] = []
        var position = start
        let end = start + count
        // An incident at the very end happens at once: there may never be another byte.
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
