import HTTP1
import HTTPModel

extension ServerLoop {
    /// Appends a response's head, and its content unless that has more than `contentLimit` bytes or is a stream.
    ///
    /// - Parameter exchange: The properties of the request that affect the framing. This method decides whether the
    ///   connection is kept alive.
    /// - Returns: How the rest of the content is framed.
    func encode(
        _ response: HTTPResponse, for exchange: inout HTTP1Exchange, contentLimit: Int, _ output: inout [UInt8]
    ) -> HTTP1BodyFraming {
        if isDraining { exchange.keepsAlive = false }
        let (framing, keepsAlive) = HTTP1ResponseEncoder.encode(
            response, for: exchange, dateLine: dateLine(), contentLimit: contentLimit, into: &output)
        exchange.keepsAlive = keepsAlive
        return framing
    }

    /// Returns the conditions that affect deadlines, as far as the loop knows them.
    func deadlineConditions(bodyCount: Int = 0, sendsEvents: Bool) -> ConnectionDeadlines.Conditions {
        ConnectionDeadlines.Conditions(
            isDraining: isDraining, restEnd: restEnd, bodyCount: bodyCount, sendsEvents: sendsEvents)
    }
}
