import CombineCore
import CombineTesting

/// The sources of the module: publishers without an upstream.
enum SourceTable {
    private static let connection: [String?] = ["parent", "downstream", "demand", "subject"]
    private static let future: [String?] = ["parent", "downstream", "hasAnyDemand", "subject"]

    static let rows: [SourceCase] = [
        SourceCase("Just", ["7"], description: "Just", mirror: [nil]) { Just(7) },
        SourceCase("Empty", [], description: "Empty") { Empty<Int, Never>() },
        SourceCase("Empty that never finishes", [], ending: nil, description: "Empty") {
            Empty<Int, Never>(completeImmediately: false)
        },
        SourceCase("Fail", [], ending: .failed, description: "Empty") { Fail<Int, TestError>(error: TestError()) },
        SourceCase("Optional", ["7"], description: "Optional", mirror: [nil]) { Optional(7).publisher },
        SourceCase("Optional without a value", [], description: "Empty") { Optional<Int>.none.publisher },
        SourceCase("Result", ["7"], description: "Once", mirror: [nil]) { Result<Int, TestError>.success(7).publisher },
        SourceCase("Result with an error", [], ending: .failed, description: "Empty") {
            Result<Int, TestError>.failure(TestError()).publisher
        },
        SourceCase("Sequence of an array", ["1", "2", "3"], description: "[1, 2, 3]", mirror: ["sequence"]) {
            [1, 2, 3].publisher
        },
        SourceCase("Sequence of a range", ["1", "2", "3"], description: "1...3", mirror: ["sequence"]) {
            (1...3).publisher
        },
        SourceCase("Sequence of one", ["1"], description: "[1]", mirror: ["sequence"]) { [1].publisher },
        SourceCase("empty Sequence", [], description: "Empty") { [Int]().publisher },
        SourceCase("Record", ["1", "2"], ending: .failed, description: "[1, 2]", mirror: ["sequence", "completion"]) {
            Record<Int, TestError>(output: [1, 2], completion: .failure(TestError()))
        },
        SourceCase("Record without values", [], ending: .failed, description: "Empty") {
            Record<Int, TestError>(output: [], completion: .failure(TestError()))
        },
        SourceCase("Deferred", ["7"], description: "Just", mirror: [nil]) { Deferred { Just(7) } },
        SourceCase("Future that succeeds", ["7"], description: "Future", mirror: future) {
            Future<Int, Never> { $0(.success(7)) }
        },
        SourceCase("Future that fails", [], ending: .failed, description: "Future", mirror: future) {
            Future<Int, TestError> { $0(.failure(TestError())) }
        },
        SourceCase(
            "CurrentValueSubject", ["7"], ending: nil, description: "CurrentValueSubject", mirror: connection
        ) { CurrentValueSubject<Int, Never>(7) },
        SourceCase(
            "PassthroughSubject", [], ending: nil, description: "PassthroughSubject", mirror: connection
        ) { PassthroughSubject<Int, Never>() },
        SourceCase("completed subject", [], description: "Empty") {
            let subject = PassthroughSubject<Int, Never>()
            subject.send(completion: .finished)
            return subject
        },
        SourceCase("Published", ["7"], ending: nil, description: "PublishedSubject", mirror: connection) {
            Published(wrappedValue: 7).projectedValue
        },
        SourceCase(
            "ObservableObjectPublisher", [], ending: nil, description: "ObservableObjectPublisher",
            mirror: ["downstream"]
        ) { ObservableObjectPublisher() },
        SourceCase("merge of sequences", ["1", "2"], description: "Merge") {
            [1].publisher.merge(with: [2].publisher)
        },
        SourceCase("concatenation of sequences", ["1", "2", "3", "4"], description: "Concatenate") {
            [1, 2].publisher.append(Publishers.Sequence<Range<Int>, Never>(sequence: 3..<5).append(Empty()))
        },
        SourceCase("flatMap over a sequence", ["1", "1", "2", "2"], description: "FlatMap") {
            [1, 2].publisher.flatMap(maxPublishers: .max(1)) { [$0, $0].publisher }
        },
    ]
}
