import Access
import HTTPModel

extension SessionShard {
    /// Decodes an input for a session. A machine's decoders may trap, like its inputs.
    func decode<Result>(
        _ request: HTTPRequest, from requester: Requester, for session: Session,
        _ body: () throws(InputMismatch) -> Result
    ) throws(InputMismatch) -> Result {
        guard turns.notesTurns, let storage = session.storage else { return try body() }
        guard request.fields.contains(.idempotencyKey), let key = try? key(of: request, from: requester) else {
            return try turns.noting(storage.id, body)
        }
        turns.setKey(key, digest(of: request))
        defer { turns.clearKey() }
        return try turns.noting(storage.id, body)
    }
}
