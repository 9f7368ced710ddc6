import Dispatch
import Foundation
import HTTPModel
import HTTPTransfer
import Log
import Telemetry

/// The export of spans to a collector by OTLP/HTTP, as it is configured.
struct TraceExport {
    /// The time that the end of a server waits for the collector. A supervisor kills it some seconds after it should have drained.
    static let endLimit = Duration.seconds(1)
    /// The time in which the collector must accept a batch.
    private static let timeout = Duration.seconds(3)
    /// The maximum number of spans in a second, for each request that may be sampled in one. A request leads to about four, one with an
    /// effect to eight.
    private static let spansPerRequest = 20
    private static let maxResponseBytes = 64 << 10

    private let url: URL
    private let fields: [(name: String, value: String)]
    private let traces: Configuration.Traces

    /// Reads the configuration; nil if nothing is exported.
    ///
    /// - Throws: ``TraceExportProblem`` if the endpoint is not a URL, or a field is invalid.
    init?(_ traces: Configuration.Traces) throws(TraceExportProblem) {
        guard !traces.endpoint.isEmpty else { return nil }
        guard let url = URL(string: traces.endpoint), url.host()?.isEmpty == false else {
            throw TraceExportProblem(description: "traces.endpoint: expected a URL with a host")
        }
        self.url = url
        self.traces = traces
        fields = try TraceExport.fields(traces.headers.reveal() ?? "")
    }

    /// Reads fields, each a name, `=` and a value, separated by commas.
    // A problem contains no part of them, because they may be credentials.
    private static func fields(_ text: String) throws(TraceExportProblem) -> [(name: String, value: String)] {
        var fields = [(name: "Content-Type", value: "application/json"), (name: "User-Agent", value: "granary")]
        for (index, field) in text.split(separator: ",").enumerated() {
            let parts = field.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, HTTPFieldName(parts[0]) != nil, HTTPFieldValue(parts[1]) != nil else {
                throw TraceExportProblem(
                    description: "traces.headers: expected NAME=VALUE, separated by commas; number \(index + 1) is not")
            }
            fields.append((parts[0], parts[1]))
        }
        return fields
    }

    /// Creates an exporter, which uses a thread and a connection only while it sends.
    func makeExporter(log: Log) -> SpanExporter {
        let queue = DispatchQueue(label: "granary.traces", qos: .utility)
        let client = TransferClient()
        let document = TraceDocument(service: traces.service, version: GranaryVersion.current)
        let (url, fields) = (url, fields)
        return SpanExporter(document, perSecond: traces.rate * TraceExport.spansPerRequest) { delay, work in
            let milliseconds = Int(delay.components.seconds) * 1000
            queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: work)
        } send: { json, ended in
            let request = TransferRequest(
                url, method: "POST", fields: fields, body: json, totalTimeout: TraceExport.timeout,
                maxBytes: TraceExport.maxResponseBytes)
            _ = client.collect(request) { result in
                let refusal = TraceExport.refusal(result)
                if let refusal {
                    log.limited(.warning, "the collector has not accepted spans", ["reason": .text(refusal)])
                }
                ended(refusal == nil)
            }
        }
    }

    /// Returns why a batch was not accepted; nil if it was.
    private static func refusal(_ result: Result<TransferResponse, TransferFailure>) -> String? {
        switch result {
        case .success(let response) where 200...299 ~= response.head.status: nil
        case .success(let response): "status \(response.head.status)"
        case .failure(let failure): failure.description
        }
    }
}

/// The reason why spans cannot be exported as configured.
struct TraceExportProblem: Error, CustomStringConvertible {
    let description: String
}
