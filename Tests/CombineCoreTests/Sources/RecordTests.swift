import CombineCore
import Foundation
import Testing

@Suite struct RecordTests {
    struct RecordedError: Error, Codable, Equatable { var code: Int }

    @Test func `a record delivers values on request, and the completion with the last one`() {
        let record = Record<Int, RecordedError> {
            $0.receive(1)
            $0.receive(2)
            $0.receive(completion: .failure(RecordedError(code: 7)))
        }
        let recorder = record.record(.none)
        #expect(recorder.take() == ["subscription [1, 2]"])
        recorder.request(1)
        #expect(recorder.take() == ["1"])
        recorder.request(1)
        #expect(recorder.take() == ["2", "failure RecordedError(code: 7)"])
        #expect(Record<Int, RecordedError> { _ in }.events(.none) == ["finished"])
    }

    @Test func `a recording can be encoded and decoded`() throws {
        let record = Record(output: [1, 2], completion: .failure(RecordedError(code: 3)))
        let data = try JSONEncoder().encode(record)
        let copy = try JSONDecoder().decode(Record<Int, RecordedError>.self, from: data)
        #expect(copy.recording.output == [1, 2])
        #expect(copy.recording.completion == .failure(RecordedError(code: 3)))
    }
}
