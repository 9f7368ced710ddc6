/// Collects the parts of a response, up to a limit.
struct ResponseCollector {
    let limit: Int
    private var status = 0
    private var fields: [String: String] = [:]
    private var body: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    /// The response as far as it has arrived; nil before its head.
    var response: ClientResponse? {
        status == 0 ? nil : ClientResponse(status: status, fields: fields, body: body)
    }

    mutating func take(status: Int, fields: [String: String]) {
        self.status = status
        self.fields = fields
    }

    /// Adds bytes of the content. Returns false if the response is larger than the limit.
    mutating func take(_ bytes: [UInt8]) -> Bool {
        guard body.count + bytes.count <= limit else { return false }
        body += bytes
        return true
    }
}
