import RxCore
import StateCapture
import Testing

/// Sources that values have led to are not captured, so that their machine must stay in memory.
struct UncapturedWorkTests {
    @Test(arguments: [("merge", 0), ("flatMap.0", 1), ("switchToLatest.0", 2)])
    func `a source in flight is reported until it ends`(name: String, place: Int) {
        let source = PublishSubject<String>()
        let pipeline = CapturedPipeline { inputs in
            switch place {
            case 0: inputs.a.flatMapFirst { _ in source }
            case 1: inputs.a.flatMap { _ in source }
            default: inputs.a.flatMapLatest { _ in source }
            }
        }
        #expect(pipeline.registry.uncapturedWork == nil)
        pipeline.perform(.send(1, toB: false))
        #expect(pipeline.registry.uncapturedWork == name)
        source.onCompleted()
        #expect(pipeline.registry.uncapturedWork == nil)
    }
}
