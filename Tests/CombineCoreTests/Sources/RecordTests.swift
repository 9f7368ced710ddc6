import CombineCore
import Foundation
import Testing

@Suite struct RecordTests {
    struct Trouble: Error, Codable, Equatable { var code: Int }

    @Test func `values come as they are asked for, the completion with the last`() {
        let record = Record<Int, Trouble> {
            $0.receive(1)
            $0.receive(2)
            $0.receive(completion: .failure(Trouble(code: 7)))
        }
        let recorder = record.record(.none)
        #expect(recorder.take() == ["subscription [1, 2]"])
        recorder.request(1)
        #expect(recorder.take() == ["1"])
        recorder.request(1)
        #expect(recorder.take() == ["2", "failure Trouble(code: 7)"])
        #expect(Record<Int, Trouble> { _ in }.events(.none) == ["finished"])
    }

    @Test func `a recording survives encoding`() throws {
        let record = Record(output: [1, 2], completion: .failure(Trouble(code: 3)))
        let data = try JSONEncoder().encode(record)
        let copy = try JSONDecoder().decode(Record<Int, Trouble>.self, from: data)
        #expect(copy.recording.output == [1, 2])
        #expect(copy.recording.completion == .failure(Trouble(code: 3)))
    }
}
