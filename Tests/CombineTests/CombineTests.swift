import Combine
import Foundation
import Testing

/// Tests that code written for Apple's Combine compiles and runs unchanged.
@Suite struct CombineTests {
    private final class Model: ObservableObject {
        @Published var text = ""
        @Published private(set) var length = 0
        private var tokens = Set<AnyCancellable>()

        init() {
            $text.map(\.count).removeDuplicates().assign(to: \.length, on: self).store(in: &tokens)
        }
    }

    @Test func `a view model that imports Combine compiles and runs`() {
        let model = Model()
        var lengths: [Int] = []
        let token = model.$length.sink { lengths.append($0) }
        model.text = "ab"
        model.text = "cd"
        model.text = "cde"
        #expect(lengths == [0, 2, 3])
        token.cancel()
    }

    @Test func `importing Combine includes the bridges to Foundation`() {
        let name = Notification.Name("granary.combine")
        let center = NotificationCenter()
        var count = 0
        let token = center.publisher(for: name).receive(on: ImmediateScheduler.shared).sink { _ in count += 1 }
        center.post(name: name, object: nil)
        #expect(count == 1)
        token.cancel()
        let timer = Timer.publish(every: 60, on: .main, in: .common).autoconnect()
        timer.sink { _ in }.cancel()
    }

    @Test func `names can be qualified with the module name`() {
        let publisher: any Combine.Publisher<Int, Never> = Combine.Just(1)
        #expect(publisher is Combine.Just<Int>)
    }
}
