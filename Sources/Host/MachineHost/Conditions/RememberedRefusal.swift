import HTTPModel

/// A refusal that is remembered as the response to a request with an `Idempotency-Key`.
// Most remembered responses are results with status 200, of which only the content is remembered. No JSON text starts with
// a control character, so the first byte of a refusal tells them apart.
struct RememberedRefusal {
    private enum Kind: UInt8 {
        /// 409: part of a batch was run.
        case missingState = 0
        /// 500: the input ended the process and was undone.
        case inputUndone = 1
        /// 422: part of a batch was run, and the machine rejects the value of the next input.
        case invalidValue = 2
    }

    private let kind: Kind
    private let body: [UInt8]

    /// Part of a batch was run.
    static func missingState(_ response: HTTPResponse) -> RememberedRefusal {
        assert(
            response.status == .conflict || response.status == .unprocessableContent,
            "expected the refusal of an input, got status \(response.status)")
        return RememberedRefusal(
            kind: response.status == .conflict ? .missingState : .invalidValue, body: response.body.bytes ?? [])
    }

    /// The input ended the process and was undone.
    static func inputUndone(incident: String) -> RememberedRefusal {
        RememberedRefusal(
            kind: .inputUndone, body: ProblemDetails.inputUndone(incident: incident).response.body.bytes ?? [])
    }

    var bytes: [UInt8] { [kind.rawValue] + body }

    private init(kind: Kind, body: [UInt8]) {
        self.kind = kind
        self.body = body
    }

    /// Reads the remembered form. Returns nil if a result was remembered.
    init?(_ bytes: [UInt8]) {
        guard let first = bytes.first, let kind = Kind(rawValue: first) else { return nil }
        self.init(kind: kind, body: Array(bytes.dropFirst()))
    }

    var response: HTTPResponse {
        // The content is that of the first response. Only its status and fields are made anew.
        var response =
            switch kind {
            case .missingState:
                ProblemDetails.refused(batchInput: 0, InputRefusal(reason: ""), version: 0).response
            case .invalidValue:
                ProblemDetails.refused(
                    batchInput: 0, InputRefusal(reason: "", kind: .invalidValue), version: 0
                ).response
            case .inputUndone: ProblemDetails.inputUndone(incident: "").response
            }
        response.body = .bytes(body)
        return response
    }
}
