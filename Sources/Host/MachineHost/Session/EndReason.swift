import JSONText
import StateCapture

/// The reason why a session or stream ended.
enum EndReason: Equatable {
    case deleted
    case expired
    case draining
    case rotated
    case failed(incident: String)
    /// No such session exists, as far as the client may know.
    case unknown
    /// The client's credential does not permit to read the session, or has expired.
    case unauthorized
    /// The server could not open the stream, and may be able to later.
    case busy

    /// Whether only the stream ended and the client may reconnect.
    var isForStreamOnly: Bool { permitsReconnection || self == .unauthorized }

    /// Whether the client may reconnect with the same credential.
    var permitsReconnection: Bool { self == .draining || self == .rotated || self == .busy }

    /// The reason as clients see it.
    var name: String {
        switch self {
        case .deleted: "deleted"
        case .expired: "expired"
        case .draining: "draining"
        case .rotated: "rotated"
        case .failed: "failed"
        case .unknown: "unknown"
        case .unauthorized: "unauthorized"
        case .busy: "busy"
        }
    }

    /// The incident that clients may quote; nil if the machine has not failed.
    var incident: String? {
        if case .failed(let incident) = self { incident } else { nil }
    }

    /// Appends the data of the event `end`.
    func appendData(to bytes: inout [UInt8]) {
        bytes.append("{\"reason\":\"")
        bytes.append(contentsOf: name.utf8)
        bytes.append("\"")
        if let incident {
            bytes.append(",\"incident\":")
            JSONWriter.append(incident, to: &bytes)
        }
        bytes.append("}")
    }
}

// In the journal.
extension EndReason {
    /// The content of the snapshot of a session that has ended.
    var storedContent: [UInt8] {
        var bytes: [UInt8] = []
        appendData(to: &bytes)
        return bytes
    }

    /// Reads the content of the snapshot of a session that has ended. Returns nil if it has no reason that this build knows.
    init?(storedContent bytes: [UInt8]) {
        guard let data = try? StateValue(json: bytes) else { return nil }
        switch data["reason"]?.text {
        case "deleted": self = .deleted
        case "expired": self = .expired
        case "failed": self = .failed(incident: data["incident"]?.text ?? "")
        default: return nil
        }
    }
}
