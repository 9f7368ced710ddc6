import HTTP1
import HTTPModel

extension Connection {
    /// Writes the end of a chunked body, with trailers if the client accepts them.
    func endChunks(of stream: any HTTPBodyStream, _ output: inout [UInt8]) {
        guard exchange.takesTrailers else { return HTTP1Chunk.appendLast(to: &output) }
        HTTP1Chunk.appendLast(trailers: stream.trailers, to: &output)
    }
}
