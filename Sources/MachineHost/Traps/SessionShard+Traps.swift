import Access
import HTTPModel

extension SessionShard {
    /// Decodes an input for a session. A machine's decoders may trap, like its inputs.
    func decode<Result>(
        _ request: HTTPRequest, from requester: Requester, for session: Session,
        _ body: () throws(InputMismatch) -> Result
    ) throws(InputMismatch) -> Result {
        guard let turnSlot, let storage = session.storage else { return try body() }
        if request.fields.contains(.idempotencyKey), let key = try? key(of: request, from: requester) {
            turnSlot.setKey(key, digest(of: request))
        }
        let outer = turnSlot.begin(storage.id)
        defer {
            turnSlot.end(outer)
            turnSlot.clearKey()
        }
        return try body()
    }
}
