/// What a client saw, for clients that write it down as JSON, such as `{"sent":{"session":"s","marks":["a"]}}`. The cases and their values
/// are those of the methods of ``SessionChecker``.
package enum Sighting: Decodable {
    case created(session: String, key: String?)
    case sent(session: String, marks: [String])
    case acknowledged(session: String, marks: [String], key: String?, version: UInt64, change: String?)
    case change(session: String, change: String, version: UInt64, epoch: String)
    case outputs(
        session: String, outputs: [String: String], marks: [String], version: UInt64, epoch: String?, floor: UInt64)
    case fault(session: String, detail: String)
    case end(session: String, detail: String)
}

extension SessionChecker {
    /// Records what a client saw.
    package mutating func record(_ sighting: Sighting) {
        switch sighting {
        case .created(let session, let key): created(session, key: key)
        case .sent(let session, let marks): sent(marks, to: session)
        case .acknowledged(let session, let marks, let key, let version, let change):
            acknowledged(marks, in: session, key: key, version: version, change: change)
        case .change(let session, let change, let version, let epoch):
            sawChange(change, of: version, epoch: epoch, in: session)
        case .outputs(let session, let outputs, let marks, let version, let epoch, let floor):
            sawOutputs(outputs, marks: marks, of: version, epoch: epoch, since: floor, in: session)
        case .fault(let session, let detail): sawFault(detail, in: session)
        case .end(let session, let detail): sawEnd(of: session, detail)
        }
    }
}
