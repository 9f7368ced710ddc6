import Log
import Testing

@testable import MachineHost

struct LoggableErrorTests {
    private enum Refusal: Error {
        case closed
        case unknownUser(name: String)
        case pair(String, String)
    }

    private struct Failure: Error, CustomStringConvertible {
        var secret = "hunter2"
        var description: String { "hunter2 is wrong" }
    }

    private struct Described: LoggableError {
        let logDescription = "the service is offline"
        let secret = "hunter2"
    }

    @Test(
        arguments: [
            (Refusal.closed, "Refusal.closed"), (Refusal.unknownUser(name: "hunter2"), "Refusal.unknownUser"),
            (Refusal.pair("hunter2", "hunter2"), "Refusal.pair"), (Failure(), "Failure"),
            (Described(), "the service is offline"),
            (
                EncodingError.invalidValue("hunter2", .init(codingPath: [], debugDescription: "hunter2")),
                "EncodingError.invalidValue of type Swift.String"
            ),
            (
                DecodingError.valueNotFound(Int.self, .init(codingPath: [], debugDescription: "hunter2")),
                "valueNotFound"
            ),
        ] as [(any Error, String)])
    func `the log describes an error without its values`(error: any Error, text: String) {
        guard case .text(let logged) = LogValue.error(error) else {
            Issue.record("expected the error to be logged as text")
            return
        }
        #expect(logged.hasSuffix(text))
        #expect(!logged.contains("hunter2"))
    }
}
