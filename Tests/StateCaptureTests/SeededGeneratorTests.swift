import StateCapture
import Testing

@Suite struct SeededGeneratorTests {
    // The first numbers of the reference implementation. Recorded seeds of tests depend on the sequences.
    private static let sequences: [(seed: UInt64, numbers: [UInt64])] = [
        (0, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]),
        (1_234_567, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]),
    ]

    @Test(arguments: sequences)
    func `a sequence is the one of SplitMix64`(seed: UInt64, numbers: [UInt64]) {
        var generator = SeededGenerator(seed: seed)
        #expect(numbers.map { _ in generator.next() } == numbers)
    }

    @Test func `a session's series is the sequence of its seed`() {
        let registry = StateRegistry(clockOffset: 0)
        registry.seed = 7
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<4 { #expect(registry.random.next() == generator.next()) }
    }
}
