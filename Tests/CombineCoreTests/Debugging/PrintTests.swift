import CombineCore
import CombineTesting
import Testing

@Suite struct PrintTests {
    final class Page: TextOutputStream {
        private(set) var text = ""

        func write(_ string: String) {
            text += string
        }
    }

    @Test func `print writes every event`() {
        let page = Page()
        let recorder = (1...3).publisher.setFailureType(to: Mishap.self).append(Fail(error: .first))
            .print("numbers", to: page).record(.max(1), more: .max(1))
        recorder.cancel()
        Just(1).print(to: page).record(.none).cancel()
        #expect(
            page.text == """
                numbers: receive subscription: (Concatenate)
                numbers: request max: (1)
                numbers: receive value: (1)
                numbers: request max: (1) (synchronous)
                numbers: receive value: (2)
                numbers: request max: (1) (synchronous)
                numbers: receive value: (3)
                numbers: request max: (1) (synchronous)
                numbers: receive error: (first)
                receive subscription: (Just)
                receive cancel

                """)
        #expect(recorder.log == ["subscription Print", "1", "2", "3", "failure first"])
    }

    @Test func `print prints what arrives after the end, and forwards nothing of it`() {
        let page = Page()
        let source = ScriptedPublisher<Int, Never>(.unruly)
        let recorder = source.print(to: page).record()
        source.send(completion: .finished)
        source.send(1)
        #expect(page.text.hasSuffix("receive finished\nreceive value: (1)\n"))
        #expect(recorder.log == ["subscription Print", "finished"])
    }

    @Test func `breakpoints that do not trigger leave the stream unchanged`() {
        var seen: [Int] = []
        let publisher = [1, 2].publisher.breakpoint(receiveOutput: {
            seen.append($0)
            return false
        }).breakpointOnError()
        #expect(publisher.events() == ["1", "2", "finished"])
        #expect(seen == [1, 2])
        #expect(publisher.receiveCompletion?(.finished) == false)
    }
}
