import Foundation
import Locking
import Testing

@testable import ComposableArchitecture

@Suite struct AppStorageTests {
    private enum Color: String, Codable { case red, green }
    private enum Level: Int, Codable { case low = 1, high }
    private struct Point: Equatable, Codable { var x = 1 }

    private let settings = Lock<[String: UnsafeTransfer<Any>]>([:])

    private func use<Value: Codable & Sendable, Result>(
        _ initial: Value, _ body: (Shared<Value>) -> Result
    ) -> Result {
        withDependencies {
            $0.defaultInMemoryStorage = InMemoryStorage()
            $0.defaultAppStorage = .inMemory(settings: settings)
        } operation: {
            body(Shared(wrappedValue: initial, .appStorage("key")))
        }
    }

    /// Returns the value that a property reads from a setting.
    private func read<Value: Codable & Sendable>(_ form: Any, else initial: Value) -> Value {
        let form = UnsafeTransfer(form)
        settings.withLock { $0["key"] = form }
        return use(initial) { $0.wrappedValue }
    }

    /// Returns the setting that a property writes.
    private func written<Value: Codable & Sendable>(_ value: Value) -> Any? {
        use(value) { shared in shared.withLock { $0 = value } }
        return settings.withLock { $0["key"] }?.value
    }

    /// Returns what a property reads that another one has written.
    private func reread<Value: Codable & Sendable>(_ value: Value, else initial: Value) -> Value {
        _ = written(value)
        return use(initial) { $0.wrappedValue }
    }

    private static let date = Date(timeIntervalSinceReferenceDate: 5)

    @Test func `settings that exist are read`() {
        #expect(read(true, else: false))
        #expect(read(42, else: 0) == 42)
        #expect(read(1.5, else: Double.zero) == 1.5)
        #expect(read("hello", else: "") == "hello")
        #expect(read(["a", "b"], else: [String]()) == ["a", "b"])
        #expect(read(Self.date, else: Date()) == Self.date)
        #expect(read(Data([1]), else: Data()) == Data([1]))
        #expect(read("/a b/c", else: URL(filePath: "/")) == URL(filePath: "/a b/c"))
        #expect(read("green", else: Color.red) == .green)
        #expect(read(2, else: Level.low) == .high)
        #expect(read(42, else: Int?.none) == 42)
        #expect(read("green", else: Color?.none) == .green)
    }

    @Test func `numbers are read as each other where none is lost`() {
        #expect(read(1, else: false))
        #expect(read(true, else: 0) == 1)
        #expect(read(3.0, else: 0) == 3)
        #expect(read(3.5, else: 7) == 7)
        #expect(read(3, else: Double.zero) == 3)
    }

    @Test func `a setting of another type is not used`() {
        #expect(read("text", else: 7) == 7)
        #expect(read(7, else: "text") == "text")
        #expect(read("blue", else: Color.red) == .red)
        #expect(read(Data([1]), else: URL(filePath: "/a")) == URL(filePath: "/a"))
        #expect(read("{}", else: Point(x: 3)) == Point(x: 3))
    }

    @Test func `settings are written as other code reads them`() {
        #expect(written(true) as? Bool == true)
        #expect(written(7) as? Int == 7)
        #expect(written(1.5) as? Double == 1.5)
        #expect(written("hello") as? String == "hello")
        #expect(written(["a"]) as? [String] == ["a"])
        #expect(written(Self.date) as? Date == Self.date)
        #expect(written(Data([1])) as? Data == Data([1]))
        #expect(written(URL(filePath: "/a b/c")) as? String == "/a b/c")
        #expect(written(Color.green) as? String == "green")
        #expect(written(Level.high) as? Int == 2)
        #expect(written(Int?.some(7)) as? Int == 7)
        #expect(written(Int?.none) == nil)
        #expect(written(Point()) as? String == #"[{"x":1}]"#)
    }

    @Test func `what is written is read`() throws {
        let web = try #require(URL(string: "https://example.com/a?b#c"))
        #expect(reread(web, else: URL(filePath: "/")) == web)
        #expect(reread(Point(x: 2), else: Point()) == Point(x: 2))
        #expect(reread([Point(x: 2)], else: []) == [Point(x: 2)])
        #expect(reread([Point](), else: [Point()]) == [])
        #expect(reread([String](), else: ["a"]) == [])
        // Texts that read like what earlier versions have written.
        for text in [#"["a"]"#, #"[["a"]]"#, #"["[\"a\"]"]"#, "[", "[1]"] { #expect(reread(text, else: "") == text) }
    }

    @Test func `what earlier versions have written is read`() {
        #expect(read("[true]", else: false))
        #expect(read("[42]", else: 0) == 42)
        #expect(read(#"["hello"]"#, else: "") == "hello")
        #expect(read(#"[["a"]]"#, else: [String]()) == ["a"])
        #expect(read("[5]", else: Date()) == Self.date)
        #expect(read(#"["AQ=="]"#, else: Data()) == Data([1]))
        #expect(read(#"["green"]"#, else: Color.red) == .green)
        #expect(read("[null]", else: Int?.some(1)) == nil)
        #expect(read(#"[{"x":2}]"#, else: Point()) == Point(x: 2))
    }

    @Test func `settings of the process's user are read and written`() {
        let key = "appStorageTests.\(UUID().uuidString)"
        defer { UserDefaults.standard.removeObject(forKey: key) }
        UserDefaults.standard.set(42, forKey: key)
        withDependencies {
            $0.defaultInMemoryStorage = InMemoryStorage()
            $0.defaultAppStorage = .userDefaults
        } operation: {
            @Shared(.appStorage(key)) var number: Int?
            #expect(number == 42)
            $number.withLock { $0 = 7 }
            #expect(UserDefaults.standard.object(forKey: key) as? Int == 7)
            $number.withLock { $0 = nil }
            #expect(UserDefaults.standard.object(forKey: key) == nil)
        }
    }

    @Test func `a value that cannot be encoded is reported and not written`() {
        struct Ratio: Codable { var value = Double.nan }
        let found = issues { #expect(written(Ratio()) == nil) }
        #expect(found.count == 1)
    }
}
