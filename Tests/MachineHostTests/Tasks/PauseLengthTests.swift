import Testing

@testable import MachineHost

struct PauseLengthTests {
    @Test(arguments: [
        // What remains of a second after the task has run for a while.
        (remaining: Duration.microseconds(999_990), slack: Duration.microseconds(15), milliseconds: Int64(1000)),
        (.microseconds(996_400), .microseconds(5_000), 1000), (.microseconds(970_000), .milliseconds(40), 1000),
        (.microseconds(299_950), .microseconds(90), 300), (.microseconds(248_200), .microseconds(2_500), 250),
        (.microseconds(1_499_900), .milliseconds(3), 1500), (.microseconds(59_999_000), .milliseconds(2), 60_000),
        // Without slack, the next millisecond.
        (.microseconds(999_400), .zero, 1000), (.microseconds(333_100), .zero, 334), (.milliseconds(7), .zero, 7),
        (.microseconds(4_100), .zero, 5),
        // An end that has passed.
        (.milliseconds(-3), .milliseconds(5), 0), (.zero, .zero, 0), (.milliseconds(-3), .zero, 0),
    ])
    func `a pause has the length that the task has requested`(
        remaining: Duration, slack: Duration, milliseconds: Int64
    ) {
        #expect(PauseLength.milliseconds(remaining: remaining, slack: slack) == milliseconds)
    }

    @Test func `a pause never ends before the time of its clock, nor later than the task can have requested`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<10_000 {
            let remaining = Duration.microseconds(Int64.random(in: 0...100_000_000, using: &generator))
            let slack = Duration.microseconds(Int64.random(in: 0...50_000, using: &generator))
            let length = Duration.milliseconds(PauseLength.milliseconds(remaining: remaining, slack: slack))
            #expect(length >= remaining && length < remaining + slack + .milliseconds(1))
        }
    }
}
