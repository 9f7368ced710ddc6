import HTTP1
import HTTPModel

// Answers the requests of HTTP/1.1 connections.
extension ServerLoop {
    /// Answers a request of a connection, or lets the connection leave with the request if another loop must answer it.
    func answer(_ message: HTTP1Message, of connection: Connection, _ output: inout [UInt8]) {
        if let refusal = refusal(of: message.request, isSecure: connection.transport.isSecure) {
            connection.state.requestArrived()
            return connection.respond(refusal, &output, on: self)
        }
        // A loop that has been stopped has no responder and closes the connection.
        guard let responder else {
            connection.state.requestArrived()
            return connection.close(abruptly: true)
        }
        if let index = responder.placement(of: message.request) {
            if index != loop.index, siblings.indices.contains(index) {
                return ConnectionHandOff(connection: connection).forward(message, to: index, &output)
            }
            connection.state.requestBelongedHere()
        }
        connection.state.requestArrived()
        connection.send(responder.respond(to: message.request), &output, on: self)
    }

    /// Passes a request of a connection to this loop's responder. A loop that has been stopped has no responder and
    /// closes the connection.
    func ask(_ message: HTTP1Message, of connection: Connection, _ output: inout [UInt8]) {
        guard let responder else { return connection.close(abruptly: true) }
        connection.send(responder.respond(to: message.request), &output, on: self)
    }
}
