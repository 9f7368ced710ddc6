import Testing

@testable import StateCapture

/// A part that names its properties and counts how often its state is read.
private final class Watched<State>: StatefulPart {
    static var partName: StaticString { "watched" }

    private(set) var readCount = 0
    var state: State {
        didSet { stored = state }
    }
    private var stored: State
    var list: ContiguousArray<Int> = []
    var hasEnded = false
    /// Whether a temporary value is named instead of a property.
    private let isTemporary: Bool

    init(_ state: State, isTemporary: Bool = false) {
        self.state = state
        stored = state
        self.isTemporary = isTemporary
    }

    var partState: State? {
        readCount += 1
        return hasEnded ? nil : stored
    }

    func restore(_ state: State?) {}

    func watch(_ places: inout WatchedPlaces) {
        if isTemporary {
            var copy = stored
            return places.add(&copy, of: self)
        }
        places.add(&stored, of: self)
        places.add(&hasEnded, of: self)
        places.add(nearlyAlwaysEmpty: &list, of: self)
    }
}

private struct Broken: Codable {
    var fails: Bool

    func encode(to encoder: any Encoder) throws {
        if fails { throw EncodingError.invalidValue(fails, .init(codingPath: [], debugDescription: "broken")) }
        var container = encoder.singleValueContainer()
        try container.encode(fails)
    }
}

private final class Reference: Codable {
    var number = 1
}

/// A holder that is an object and names its value.
private final class Cell: StateHolder {
    private(set) var readCount = 0
    var value: Int

    init(_ value: Int) { self.value = value }

    var heldState: Int {
        readCount += 1
        return value
    }

    func restoreHeld(_ state: Int) { value = state }

    func watchHeld(_ places: inout WatchedPlaces) { places.add(&value, of: self) }
}

/// A part that names a property of another object.
private final class Remote: StatefulPart {
    static var partName: StaticString { "remote" }
    let cell = Cell(1)
    private(set) var readCount = 0

    var partState: Int? {
        readCount += 1
        return cell.value
    }

    func restore(_ state: Int?) {}

    func watch(_ places: inout WatchedPlaces) { places.add(&cell.value, of: cell) }
}

/// A part whose state is written from its properties, of which one is a text.
private final class Label: StatefulPart {
    struct PartState: Codable {
        var text: StoredOptional<String>
        var number: UInt8
    }

    static var partName: StaticString { "label" }
    var text: String?
    var number: UInt8 = 1
    private(set) var stateCount = 0

    init(_ text: String) { self.text = text }

    var partState: PartState? {
        stateCount += 1
        return PartState(text: StoredOptional(text), number: number)
    }

    func restore(_ state: PartState?) {}

    func watch(_ places: inout WatchedPlaces) {
        places.add(&text, named: "text", of: self)
        places.add(&number, named: "number", of: self)
    }

    func readState(_ read: () -> Void) -> Bool? {
        read()
        return true
    }
}

private struct Gaps: Codable {
    var name: String
    var isOn: Bool
    var count: Int
}

private struct Wide: Codable {
    var a = 0
    var b = 0
    var c = 0
    var d = 0
}

private final class Store {
    var cell = Cell(1)
    var gaps = Gaps(name: "a", isOn: true, count: 1)
}

@Suite struct WatchedPlacesTests {
    @Test func `a state is read only after one of its properties has changed`() throws {
        let part = Watched(1)
        var machine = Captured { $0.register(part) }
        #expect(try machine.capture() == ["watched.0": "[1]"])
        #expect(try machine.capture() == [:])
        #expect(part.readCount == 1)
        part.state = 2
        #expect(try machine.capture() == ["watched.0": "[2]"])
        #expect(try machine.capture() == [:])
        #expect(part.readCount == 2)
        part.hasEnded = true
        #expect(try machine.capture() == ["watched.0": "null"])
        #expect(try machine.capture() == [:])
        #expect(part.readCount == 3)
    }

    @Test func `a list that is not part of the state has it read while the list is not empty`() throws {
        let part = Watched(1)
        var machine = Captured { $0.register(part) }
        _ = try machine.capture()
        part.list = [1]
        for count in 2...4 {
            part.list[0] += 1
            #expect(try machine.capture() == [:])
            #expect(part.readCount == count)
        }
        part.list = []
        #expect(try machine.capture() == [:])
        #expect(part.readCount == 4)
    }

    @Test func `an array that was changed in place is captured`() throws {
        let part = Watched([1])
        var machine = Captured { $0.register(part) }
        _ = try machine.capture()
        part.state[0] = 2
        #expect(try machine.capture() == ["watched.0": "[[2]]"])
        part.state.append(3)
        #expect(try machine.capture() == ["watched.0": "[[2,3]]"])
    }

    @Test func `a state with a reference is always read`() throws {
        let part = Watched(Reference())
        var machine = Captured { $0.register(part) }
        _ = try machine.capture()
        part.state.number = 2
        #expect(try machine.capture() == ["watched.0": "[{\"number\":2}]"])
        _ = try machine.capture()
        #expect(part.readCount == 3)
    }

    @Test func `a place outside of the object is not watched`() throws {
        let part = Watched(1, isTemporary: true)
        var machine = Captured { $0.register(part) }
        _ = try machine.capture()
        part.state = 2
        #expect(try machine.capture() == ["watched.0": "[2]"])
        _ = try machine.capture()
        #expect(part.readCount == 3)
    }

    @Test func `a state that could not be encoded is read again`() throws {
        let part = Watched(Broken(fails: true))
        var machine = Captured { $0.register(part) }
        for _ in 0..<2 { #expect(throws: EncodingError.self) { try machine.capture() } }
        #expect(part.readCount == 2)
        part.state.fails = false
        #expect(try machine.capture() == ["watched.0": "[false]"])
    }

    @Test func `a part that nothing uses any more ends although its properties stay the same`() throws {
        var part: Watched<Int>? = Watched(1)
        var machine = Captured { registry in part.map { registry.register($0) } }
        _ = try machine.capture()
        part = nil
        #expect(try machine.capture() == ["watched.0": "null"])
    }

    @Test func `a member that refers to an object is read only after the object or the reference has changed`() throws {
        let store = Store()
        let first = store.cell
        var machine = Captured { $0.registerMembers(of: store, named: "store") }
        _ = try machine.capture()
        #expect(try machine.capture() == [:])
        #expect(first.readCount == 1)
        first.value = 2
        #expect(try machine.capture() == ["store.0.cell": "2"])
        let second = Cell(3)
        store.cell = second
        #expect(try machine.capture() == ["store.0.cell": "3"])
        first.value = 4
        #expect(try machine.capture() == [:])
        second.value = 5
        #expect(try machine.capture() == ["store.0.cell": "5"])
        #expect(first.readCount == 2 && second.readCount == 2)
    }

    @Test func `a structure with gaps between its fields is captured only when it changes`() throws {
        let store = Store()
        var machine = Captured { $0.registerMembers(of: store, named: "store") }
        _ = try machine.capture()
        for _ in 0..<3 { #expect(try machine.capture() == [:]) }
        store.gaps.isOn = false
        #expect(try machine.capture() == ["store.0.gaps": "{\"name\":\"a\",\"isOn\":false,\"count\":1}"])
        for _ in 0..<3 { #expect(try machine.capture() == [:]) }
    }

    @Test func `a property of another object is not watched`() throws {
        let part = Remote()
        var machine = Captured { $0.register(part) }
        for value in 1...3 {
            part.cell.value = value
            #expect(try machine.capture() == ["remote.0": "[\(value)]"])
        }
        #expect(part.readCount == 3)
    }

    @Test func `each byte of a large property is watched`() throws {
        let part = Watched(Wide())
        var machine = Captured { $0.register(part) }
        _ = try machine.capture()
        for path in [\Wide.a, \.b, \.c, \.d] {
            part.state[keyPath: path] = 1
            #expect(try machine.capture().count == 1)
            #expect(try machine.capture() == [:])
        }
    }

    @Test func `a text that is changed in place is captured from its property`() throws {
        let part = Label(String(repeating: "a", count: 40))
        var machine = Captured { $0.register(part) }
        let tail = String(repeating: "a", count: 39)
        #expect(try machine.capture() == ["label.0": "[{\"text\":[\"a\(tail)\"],\"number\":1}]"])
        for character in "bcd" {
            let start = try #require(part.text?.startIndex)
            part.text?.replaceSubrange(start...start, with: String(character))
            #expect(try machine.capture() == ["label.0": "[{\"text\":[\"\(character)\(tail)\"],\"number\":1}]"])
            #expect(try machine.capture() == [:])
        }
        part.text = nil
        #expect(try machine.capture() == ["label.0": "[{\"text\":[],\"number\":1}]"])
        #expect(part.stateCount == 0)
    }

    @Test func `the objects of one type share the layout of their places`() {
        func layout(of cell: Cell) -> UInt16 {
            var places = WatchedPlaces(of: WatchedPlaces.address(of: cell))
            cell.watchHeld(&places)
            return places.layout(of: Cell.self)
        }
        #expect(layout(of: Cell(1)) == layout(of: Cell(2)))
        #expect(layout(of: Cell(1)) > 0)
    }
}
