import CombineCore
import Foundation
import Testing

/// A protocol to which the times of run loops and of operation queues conform separately. With one type for both, this file
/// would not compile.
private protocol ClockNaming {
    static var clockName: String { get }
}

extension RunLoop.SchedulerTimeType: ClockNaming {
    static var clockName: String { "run loop" }
}

extension OperationQueue.SchedulerTimeType: ClockNaming {
    static var clockName: String { "operation queue" }
}

extension RunLoop.SchedulerTimeType.Stride: ClockNaming {
    static var clockName: String { "run loop's interval" }
}

extension OperationQueue.SchedulerTimeType.Stride: ClockNaming {
    static var clockName: String { "operation queue's interval" }
}

/// Tests of the time types of schedulers: dates count in seconds, Dispatch times in nanoseconds.
@Suite struct SchedulerTimeTests {
    @Test func `an interval in any unit is converted to seconds`() {
        typealias Stride = RunLoop.SchedulerTimeType.Stride
        #expect(Stride.seconds(3).timeInterval == 3)
        #expect(Stride.seconds(0.5).timeInterval == 0.5)
        #expect(Stride.milliseconds(1_500).timeInterval == 1.5)
        #expect(Stride.microseconds(250_000).timeInterval == 0.25)
        #expect(Stride.nanoseconds(125_000_000).timeInterval == 0.125)
        #expect((2 as Stride).timeInterval == 2)
        #expect((2.5 as Stride).timeInterval == 2.5)
        #expect(Stride(exactly: 4)?.timeInterval == 4)
        #expect(Stride(exactly: Int.max) == nil)
    }

    @Test func `the times and intervals of run loops and operation queues are types of their own`() {
        let types: [any ClockNaming.Type] = [
            RunLoop.SchedulerTimeType.self, OperationQueue.SchedulerTimeType.self,
            RunLoop.SchedulerTimeType.Stride.self, OperationQueue.SchedulerTimeType.Stride.self,
        ]
        #expect(Set(types.map { $0.clockName }).count == 4)
    }

    @Test func `intervals support arithmetic`() {
        typealias Stride = OperationQueue.SchedulerTimeType.Stride
        var interval = Stride.seconds(3) + 1.5 - .milliseconds(500)
        #expect(interval == 4)
        interval *= 2
        interval += 1
        interval -= 3
        #expect(interval == 6)
        #expect(interval * 2 == 12)
        #expect(-interval < 0)
        #expect(Stride.zero == 0)
    }

    @Test func `the distance between two times is the interval that advances one to the other`() {
        let moment = RunLoop.SchedulerTimeType(Date(timeIntervalSinceReferenceDate: 100))
        let later = moment.advanced(by: .milliseconds(250))
        #expect(later.date.timeIntervalSinceReferenceDate == 100.25)
        #expect(moment.distance(to: later) == 0.25)
        #expect(later.distance(to: moment) == -0.25)
        #expect(moment < later)
        #expect(Set([moment, later, moment]).count == 2)
    }

    @Test func `times can be encoded and decoded`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 123.5)
        let onRunLoop = RunLoop.SchedulerTimeType(date)
        #expect(try roundTrip(onRunLoop) == onRunLoop)
        let onQueue = OperationQueue.SchedulerTimeType(date)
        #expect(try roundTrip(onQueue) == onQueue)
        #expect(try roundTrip(onQueue.distance(to: onQueue.advanced(by: 3))) == 3)
        let onDispatch = DispatchQueue.SchedulerTimeType(DispatchTime(uptimeNanoseconds: 17))
        #expect(try roundTrip(onDispatch) == onDispatch)
        #expect(try roundTrip(DispatchQueue.SchedulerTimeType.Stride.seconds(2)) == .seconds(2))
    }

    @Test func `a Dispatch time is encoded as its nanoseconds`() throws {
        let moment = DispatchQueue.SchedulerTimeType(DispatchTime(uptimeNanoseconds: 17))
        #expect(String(decoding: try JSONEncoder().encode([moment]), as: UTF8.self) == "[17]")
    }

    @Test func `Dispatch intervals count nanoseconds and saturate`() {
        typealias Stride = DispatchQueue.SchedulerTimeType.Stride
        #expect(Stride.seconds(2).magnitude == 2_000_000_000)
        #expect(Stride.seconds(0.25).magnitude == 250_000_000)
        #expect(Stride.milliseconds(3).magnitude == 3_000_000)
        #expect(Stride.microseconds(3).magnitude == 3_000)
        #expect((1.5 as Stride).timeInterval == .nanoseconds(1_500_000_000))
        #expect((2 as Stride) == .seconds(2))
        #expect(Stride.seconds(.max).magnitude == .max)
        #expect(Stride.seconds(.min).magnitude == .min)
        #expect(Stride.seconds(1e30).magnitude == .max)
        #expect(Stride(.never).magnitude == .max)
        #expect(Stride(.microseconds(5)) == .nanoseconds(5_000))
        #expect(Stride(exactly: 2)?.magnitude == 2_000_000_000)
        #expect(Stride(exactly: UInt.max) == nil)
    }

    @Test func `the product of two Dispatch intervals is the product of their seconds`() {
        typealias Stride = DispatchQueue.SchedulerTimeType.Stride
        #expect(Stride.seconds(2) * .seconds(3) == .seconds(6))
        #expect(Stride.seconds(-2) * 0.5 == .seconds(-1))
        #expect(Stride.nanoseconds(18) * .microseconds(1) == .zero)
        #expect(Stride.microseconds(-3) * .nanoseconds(10) == .zero)
        #expect(Stride.nanoseconds(.max) * 1 == .nanoseconds(.max))
        #expect(Stride.nanoseconds(.min) * 1 == .nanoseconds(.min))
        #expect(Stride.nanoseconds(.max) * 2 == .nanoseconds(.max))
        #expect(Stride.nanoseconds(.max) * -2 == .nanoseconds(.min))
        #expect(Stride.nanoseconds(.max) * .nanoseconds(.max) == .nanoseconds(.max))
        var interval = Stride.milliseconds(1_500)
        interval *= 2
        #expect(interval == 3)
        #expect(-Stride.seconds(1) == .seconds(-1))
    }

    @Test func `a Dispatch interval is encoded as on Apple's systems`() throws {
        let interval = DispatchQueue.SchedulerTimeType.Stride.nanoseconds(419_872)
        let encoded = try JSONEncoder().encode(["value": interval])
        #expect(String(decoding: encoded, as: UTF8.self) == #"{"value":{"_nanoseconds":419872}}"#)
        #expect(try roundTrip(interval) == interval)
    }

    @Test func `distances between Dispatch times are signed`() {
        let early = DispatchQueue.SchedulerTimeType(DispatchTime(uptimeNanoseconds: 100))
        let late = early.advanced(by: .nanoseconds(50))
        #expect(late.dispatchTime.uptimeNanoseconds == 150)
        #expect(early.distance(to: late) == .nanoseconds(50))
        #expect(late.distance(to: early) == .nanoseconds(-50))
        #expect(late.advanced(by: .nanoseconds(-50)) == early)
    }

    private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
        let encoded = try JSONEncoder().encode([value])
        return try #require(try JSONDecoder().decode([Value].self, from: encoded).first)
    }
}
