import Access
import HTTPModel
import JSONText
import Telemetry

extension SessionShard {
    /// `POST /v1/sessions/{id}/inputs`.
    func takeBatch(
        _ request: HTTPRequest, _ context: inout RequestContext, session id: SessionID
    ) throws(ProblemDetails) -> HTTPResponse {
        let session = try authorize(nil, on: id, &context)
        try requireJSONAccepted(request)
        let document = try document(request)
        guard let elements = document?.elements else {
            throw .invalidValue(
                "Expected an array of objects with the members \"input\" and, if the input has a value, \"value\".",
                [.init(pointer: "", detail: "expected an array, got \(document?.kind.name ?? "no body")")])
        }
        guard elements.count <= host.configuration.maxBatch else {
            let detail = "expected at most \(host.configuration.maxBatch) inputs, got \(elements.count)"
            throw .invalidValue("The batch is too long: \(detail).", [.init(pointer: "", detail: detail)])
        }
        try access.countRest(ofBatch: elements.count, request, &context)
        var prepared: [PreparedInput] = []
        var errors: [ProblemDetails.Item] = []
        // Decode the whole batch before running any of it: a batch with an invalid value changes nothing.
        for (place, element) in elements.enumerated() {
            do throws(InputMismatch) {
                prepared.append(
                    try decode(request, from: context.requester, for: session) { () throws(InputMismatch) in
                        try prepare(element, of: session.machineKind)
                    })
            } catch {
                errors += error.inside("/\(place)").items.map { .init(pointer: $0.pointer, detail: $0.detail) }
            }
        }
        if let first = errors.first {
            let errors = Array(errors.prefix(InputMismatch.maxReported * 4))
            throw .invalidValue("No input of the batch was run. At \(first.pointer): \(first.detail.sentence)", errors)
        }
        let names = elements.lazy.compactMap { $0.member("input")?.string }
        try access.authorize(inputs: names, on: session, for: context.requester)
        return try run(
            .batch(document?.slice ?? SessionShard.null), request, &context, session, FieldPresence(of: request.fields),
            refusal: { .refused(batchInput: $0.place, $0.refusal, version: session.version) }
        ) { machine throws(RefusedInput) in
            session.meter.inputs.add(UInt64(prepared.count))
            for (place, input) in prepared.enumerated() {
                do throws(InputRefusal) { try input.run(on: machine, in: session.context) } catch {
                    throw RefusedInput(place: place, refusal: error)
                }
            }
        }
    }

    static let null = Array("null".utf8)[...]

    /// Decodes an element of a batch.
    func prepare(
        _ element: JSONValue, of machine: RegisteredMachine
    ) throws(InputMismatch) -> PreparedInput {
        guard element.kind == .object else {
            throw InputMismatch(pointer: "", detail: "expected an object, got \(element.kind.name)")
        }
        if let unknown = InputMismatch(unknownMembersOf: element, known: ["input", "value"]) { throw unknown }
        guard let name = element.member("input")?.string else {
            throw InputMismatch(pointer: "/input", detail: "expected a string with the name of an input")
        }
        guard let (_, read) = machine.reader(ofInput: name) else {
            throw InputMismatch(
                pointer: "/input",
                detail: "the machine has no input of this name; its inputs are: \(machine.inputNames)")
        }
        do throws(InputMismatch) {
            return try read(element.member("value")?.slice ?? SessionShard.null)
        } catch {
            throw error.inside("/value")
        }
    }
}
