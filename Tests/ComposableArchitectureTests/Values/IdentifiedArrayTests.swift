import Foundation
import Testing

@testable import ComposableArchitecture

@Suite struct IdentifiedArrayTests {
    private struct User: Equatable, Codable, Identifiable, Comparable, Hashable {
        var id: Int
        var name = ""

        static func < (lhs: User, rhs: User) -> Bool { lhs.id < rhs.id }
    }

    private let three: IdentifiedArrayOf<User> = [User(id: 1), User(id: 2), User(id: 3)]

    @Test func `elements are found by id and by position`() {
        #expect(three.ids == [1, 2, 3])
        #expect(three[id: 2] == User(id: 2))
        #expect(three[id: 9] == nil)
        #expect(three[0] == User(id: 1))
        #expect(three.index(id: 3) == 2)
        #expect(IdentifiedArray(["a", "bb"], id: \.count)[id: 2] == "bb")
    }

    @Test func `generic code reads and replaces elements by id`() {
        func renamed<Users: _MutableIdentifiedCollection<Int, User>>(_ users: Users) -> Users {
            var users = users
            for id in users.ids { users[id: id]?.name = "\(id)" }
            return users
        }
        #expect(renamed(three).map(\.name) == ["1", "2", "3"])
    }

    @Test func `the id subscript replaces, appends and removes`() {
        var array = three
        array[id: 2]?.name = "Blob"
        #expect(array[1].name == "Blob")
        array[id: 2] = User(id: 2, name: "Blob Jr.")
        #expect(array.map(\.name) == ["", "Blob Jr.", ""])
        array[id: 9] = User(id: 9)
        #expect(array.ids == [1, 2, 3, 9])
        array[id: 2] = nil
        #expect(array.elements == [User(id: 1), User(id: 3), User(id: 9)])
        array[id: 7] = nil
        array[id: 7]?.name = "Blob"
        #expect(array.ids == [1, 3, 9])
        #expect(array.ids.allSatisfy { array[id: $0]?.id == $0 })
    }

    @Test func `the element of an id can be replaced in place`() {
        func assign(_ user: User?, to element: inout User?) { element = user }
        var array = three
        assign(nil, to: &array[id: 1])
        #expect(array.elements == [User(id: 2), User(id: 3)])
        assign(User(id: 3, name: "last"), to: &array[id: 3])
        assign(nil, to: &array[id: 9])
        assign(User(id: 4), to: &array[id: 4])
        #expect(array.elements == [User(id: 2), User(id: 3, name: "last"), User(id: 4)])
        assign(nil, to: &array[id: 4])
        #expect(array.ids == [2, 3])
        #expect(array.indices.allSatisfy { array.index(id: array.ids[$0]) == $0 })
    }

    @Test func `an element with another id than that of the subscript is reported and not set`() {
        var array = three
        let found = issues {
            array[id: 1] = User(id: 7)
            array[id: 9] = User(id: 8)
        }
        let change = "an element was given another id through [id:], which only sets elements with the id"
        #expect(found == ["\(change): expected 1, got 7", "\(change): expected 9, got 8"])
        #expect(array == three)
    }

    @Test func `an id that is changed through the id subscript is reported, and the element keeps its place`() {
        var array = three
        #expect(issues { array[id: 1]?.id = 7 }.count == 1)
        #expect(array.ids == [7, 2, 3])
        #expect(array[id: 7] == User(id: 7))
        #expect(issues { array[id: 7]?.id = 3 }.count == 1)
        #expect(array.ids == [3, 2])
        #expect(array[id: 3] == array[0])
    }

    @Test func `a write through the id subscript does not copy collections inside of the element`() {
        struct Row: Identifiable {
            let id: Int
            var numbers: [Int]
        }
        func address(_ numbers: inout [Int]) -> UInt? {
            numbers.withUnsafeMutableBufferPointer { $0.baseAddress.map { UInt(bitPattern: $0) } }
        }
        var array: IdentifiedArrayOf<Row> = [Row(id: 1, numbers: [1, 2]), Row(id: 2, numbers: [3])]
        let before = address(&array[0].numbers)
        array[id: 1]?.numbers[0] = 7
        #expect(address(&array[0].numbers) == before)
        #expect(array[0].numbers == [7, 2])
    }

    @Test func `ids are a collection of their own`() {
        var array = three
        let ids = array.ids
        array.remove(id: 2)
        #expect(ids == [1, 2, 3])
        #expect(array.ids == [1, 3])
        #expect(ids.contains(2) && !array.ids.contains(2))
        #expect(ids.firstIndex(of: 3) == 2)
        #expect(array.ids.firstIndex(of: 2) == nil)
        #expect(OrderedIDs([1, 2, 1]) == [1, 2])
        #expect(Set([ids, array.ids, [1, 2, 3]]).count == 2)
        #expect("\(ids)" == "[1, 2, 3]")
        #expect(ids.elements + [4] == [1, 2, 3, 4])
        #expect(String(customDumping: array.ids) == "[\n  [0]: 1,\n  [1]: 3\n]")
    }

    @Test func `insertions, removals and moves keep ids and positions together`() {
        var array = three
        #expect(array.insert(User(id: 4), at: 0) == (true, 0))
        #expect(array.append(User(id: 1)) == (false, 1))
        array.insert(contentsOf: [User(id: 5), User(id: 2), User(id: 6)], at: 1)
        #expect(array.ids == [4, 5, 6, 1, 2, 3])
        #expect(array.remove(id: 5) == User(id: 5))
        #expect(array.remove(at: 0) == User(id: 4))
        #expect(array.remove(id: 99) == nil)
        array.move(fromOffsets: IndexSet([0, 3]), toOffset: 2)
        #expect(array.ids == [1, 6, 3, 2])
        array.remove(atOffsets: IndexSet([1, 3]))
        #expect(array.ids == [1, 3])
        array.removeAll { $0.id == 1 }
        #expect(array.ids == [3])
        for id in array.ids { #expect(array[id: id]?.id == id) }
        #expect(array.updateOrAppend(User(id: 3, name: "new")) == User(id: 3))
        #expect(array[id: 3]?.name == "new")
    }

    @Test func `elements are updated, inserted and removed by their ids`() {
        var array = three
        #expect(array.updateOrInsert(User(id: 0), at: 0) == (nil, 0))
        #expect(array.updateOrInsert(User(id: 2, name: "new"), at: 0) == (User(id: 2), 2))
        #expect(array.update(User(id: 1, name: "one"), at: 1) == User(id: 1))
        #expect(array.elements == [User(id: 0), User(id: 1, name: "one"), User(id: 2, name: "new"), User(id: 3)])
        #expect(issues { array.update(User(id: 7), at: 1) }.count == 1)
        #expect(array.contains(User(id: 1)) && !array.contains(User(id: 7)))
        #expect(array.remove(User(id: 1)) == User(id: 1, name: "one"))
        #expect(array.remove(User(id: 1)) == nil)
        #expect(array.ids == [0, 2, 3])
        array.append(contentsOf: [User(id: 4), User(id: 3, name: "new"), User(id: 4, name: "new")])
        #expect(array.elements == [User(id: 0), User(id: 2, name: "new"), User(id: 3), User(id: 4)])
    }

    @Test func `elements without an id of their own are removed from both ends`() {
        var array = IdentifiedArray(1...9, id: \.self)
        #expect(array.removeFirst() == 1)
        #expect(array.removeLast() == 9)
        array.removeFirst(2)
        array.removeLast(1)
        #expect(array.elements == [4, 5, 6, 7])
        array.removeSubrange(1...2)
        #expect(array.ids == [4, 7])
        let even = IdentifiedArray(1...9, id: \.self).filter { $0.isMultiple(of: 2) }
        #expect(even.ids == [2, 4, 6, 8])
        #expect(even.index(id: 8) == 3)
    }

    @Test func `arrays are created from elements with unique and with repeated ids`() {
        let users = [User(id: 1), User(id: 2)]
        #expect(IdentifiedArray(uniqueElements: users) == IdentifiedArray(uncheckedUniqueElements: users))
        #expect(IdentifiedArray(uniqueElements: three) == three)
        #expect(IdentifiedArray(uniqueElements: three[1...]).ids == [2, 3])
        #expect(IdentifiedArray(three[..<2]).ids == [1, 2])
        #expect(IdentifiedArray(IdentifiedArray(["a"], id: \.count)[...]).ids == [1])
        #expect(IdentifiedArray(uniqueElements: ["a", "bb"], id: \.count).ids == [1, 2])
        #expect(IdentifiedArray(uncheckedUniqueElements: ["a", "bb"], id: \.count).ids == [1, 2])
        let found = issues { _ = IdentifiedArray(uniqueElements: ["a", "b"], id: \.count) }
        #expect(found == ["expected elements with different ids: an element was dropped: 1"])
    }

    @Test func `elements with the same id are combined`() throws {
        struct Refusal: Error {}
        let users = [User(id: 1, name: "a"), User(id: 2), User(id: 1, name: "b")]
        let joined = IdentifiedArray(users) { User(id: $0.id, name: $0.name + $1.name) }
        #expect(joined.elements == [User(id: 1, name: "ab"), User(id: 2)])
        #expect(IdentifiedArray(["a", "b", "cc"], id: \.count) { $1 }.elements == ["b", "cc"])
        #expect(throws: Refusal.self) { try IdentifiedArray(users) { _, _ in throw Refusal() } }
    }

    @Test func `order changes keep ids and positions together`() {
        var array = IdentifiedArrayOf<User>([User(id: 3), User(id: 1), User(id: 2)])
        array.sort()
        #expect(array.ids == [1, 2, 3])
        array.sort { $0.id > $1.id }
        #expect(array.ids == [3, 2, 1])
        array.reverse()
        array.swapAt(0, 2)
        #expect(array.ids == [3, 2, 1])
        #expect(array[id: 3] == array[0])
        array.shuffle()
        for id in array.ids { #expect(array[id: id]?.id == id) }
    }

    private typealias List = MutableCollection & RangeReplaceableCollection & RandomAccessCollection

    /// A change of the order of elements, or of a part of them.
    private enum Change: CaseIterable {
        case sort, reverse, shuffle, partition, swap, swapInMemory, replace, remove, insert, assign

        func apply<Users: List>(to users: inout Users) where Users.Element == User, Users.Index == Int {
            let (first, last) = (users.startIndex, users.endIndex - 1)
            switch self {
            case .sort: users.sort()
            case .reverse: users.reverse()
            case .shuffle:
                var steps = Steps()
                users.shuffle(using: &steps)
            case .partition: _ = users.partition { $0.id.isMultiple(of: 2) }
            case .swap: users.swapAt(first, last)
            case .swapInMemory: _ = users.withContiguousMutableStorageIfAvailable { $0.swapAt(0, $0.count - 1) }
            case .replace: users.replaceSubrange(first...first, with: [User(id: 10), User(id: 11)])
            case .remove: users.removeSubrange(first...first)
            case .insert: users.insert(User(id: 12), at: last)
            case .assign: users[first] = User(id: 13)
            }
        }
    }

    private struct Steps: RandomNumberGenerator {
        var last: UInt64 = 1

        mutating func next() -> UInt64 {
            last = last &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return last
        }
    }

    /// What is changed of an array.
    private enum Part: CaseIterable {
        case whole, start, middle, end, inner

        func apply<Users: List>(_ change: Change, to users: inout Users)
        where Users.Element == User, Users.Index == Int {
            switch self {
            case .whole: change.apply(to: &users)
            case .start: change.apply(to: &users[0..<3])
            case .middle: change.apply(to: &users[2...4])
            case .end: change.apply(to: &users[1...])
            case .inner: change.apply(to: &users[1...][2..<5])
            }
        }
    }

    @Test(arguments: Change.allCases, Part.allCases)
    private func `changes of an array and of its slices are those of a plain array`(_ change: Change, of part: Part) {
        var plain = [5, 4, 3, 2, 1, 0].map { User(id: $0) }
        var array = IdentifiedArrayOf<User>(plain)
        part.apply(change, to: &plain)
        part.apply(change, to: &array)
        #expect(array.elements == plain)
        #expect(array.ids.elements == plain.map(\.id))
        #expect(array.indices.allSatisfy { array.index(id: array.ids[$0]) == $0 })
    }

    @Test func `setting a slice with the id of another element keeps the first of them`() {
        var array = three
        array[1...] = IdentifiedArrayOf<User>([User(id: 4), User(id: 1, name: "new"), User(id: 4, name: "new")])[0...]
        #expect(array.elements == [User(id: 1), User(id: 4)])
        #expect(array.ids == [1, 4])
        #expect(array[...].base == array)
    }

    @Test func `setting an element with another element's id keeps one of them`() {
        var array = three
        array[0] = User(id: 7)
        #expect(array.ids == [7, 2, 3])
        #expect(array[id: 1] == nil)
        array[0].id = 3
        #expect(array.ids == [3, 2])
        array.replaceSubrange(0..<1, with: [User(id: 8), User(id: 2)])
        #expect(array.ids == [8, 2])
    }

    @Test func `a replacement with the id of another element replaces that one in its place`() {
        var array = three
        array.replaceSubrange(1..<3, with: [User(id: 4), User(id: 1, name: "new"), User(id: 2, name: "new")])
        #expect(array.elements == [User(id: 1, name: "new"), User(id: 4), User(id: 2, name: "new")])
        array.replaceSubrange(0..<1, with: [User(id: 2, name: "newer")])
        #expect(array.elements == [User(id: 4), User(id: 2, name: "newer")])
        array.insert(contentsOf: [User(id: 5), User(id: 4, name: "new")], at: 0)
        #expect(array.elements == [User(id: 5), User(id: 4, name: "new"), User(id: 2, name: "newer")])
        array += [User(id: 4, name: "last"), User(id: 6)]
        #expect(array.elements.map(\.name) == ["", "new", "newer", ""])
        #expect(array.indices.allSatisfy { array.index(id: array.ids[$0]) == $0 })
    }

    @Test func `of replacements with the same id, the first takes the place of the last`() {
        var array = three
        array.replaceSubrange(
            0..<2, with: [User(id: 7, name: "first"), User(id: 8), User(id: 7, name: "last"), User(id: 9)])
        #expect(array.elements == [User(id: 8), User(id: 7, name: "first"), User(id: 9), User(id: 3)])
        #expect(array.indices.allSatisfy { array.index(id: array.ids[$0]) == $0 })
    }

    @Test func `it is encoded and decoded as an array`() throws {
        let data = try JSONEncoder().encode(three)
        #expect(try JSONDecoder().decode([User].self, from: data) == three.elements)
        #expect(try JSONDecoder().decode(IdentifiedArrayOf<User>.self, from: data) == three)
        let repeated = try JSONEncoder().encode([User(id: 1), User(id: 1, name: "b")])
        let error = try #require(throws: DecodingError.self) {
            try JSONDecoder().decode(IdentifiedArrayOf<User>.self, from: repeated)
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("expected corrupted data, got \(error)")
            return
        }
        #expect(context.debugDescription == "Duplicate element at offset 1")
        #expect(Set([three, three]).count == 1)
        #expect(IdentifiedArrayOf<User>() == [])
        #expect(debugOutput(IdentifiedArray([1], id: \.self)) == "[\n  1,\n]")
        #expect(IdentifiedArray([1, 2], id: \.self).debugDescription == "IdentifiedArray<Int>([1, 2])")
        #expect(IdentifiedArray([1, 2], id: \.self).description == "[1, 2]")
    }

    @Test func `a value can be paired with an id`() {
        var identified = Identified("Blob", id: \.count)
        #expect(identified.id == 4)
        #expect(identified.count == 4)
        identified.value = "x"
        #expect(identified.id == 4)
        let next = Identified(User(id: 1), id: { $0.id + 1 })
        #expect(next.id == 2)
        var user = Identified(User(id: 1), id: "a")
        user.name = "n"
        #expect(user.value.name == "n")
    }

    @Test func `alerts with equal contents are equal`() throws {
        let alert = AlertState(
            title: "T", message: "M", primaryButton: .destructive("D", send: 1), secondaryButton: .cancel())
        let twin = AlertState(
            title: "T", message: "M", primaryButton: .destructive("D", send: 1), secondaryButton: .cancel())
        #expect(alert == twin)
        #expect(alert.id != twin.id)
        #expect(alert.hashValue == twin.hashValue)
        #expect(alert != AlertState(title: "T", message: "M", dismissButton: .default("D", send: 1)))
        let sheet = ActionSheetState(title: "T", buttons: [.default("A", send: 1)])
        #expect(sheet == ActionSheetState(title: "T", buttons: [.default("A", send: 1)]))
        #expect(debugOutput(sheet).contains("title: \"T\""))
    }
}
