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

    @Test func `the id subscript replaces, and neither inserts nor removes`() {
        var array = three
        array[id: 2]?.name = "Blob"
        #expect(array[1].name == "Blob")
        let found = issues {
            array[id: 2] = nil
            array[id: 9] = User(id: 9)
            array[id: 1] = User(id: 7)
        }
        #expect(found.count == 3)
        #expect(array.ids == [1, 2, 3])
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
        array += [User(id: 4, name: "last"), User(id: 5)]
        #expect(array.elements == [User(id: 4, name: "last"), User(id: 2, name: "newer"), User(id: 5)])
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
        #expect(Set([three, three]).count == 1)
        #expect(IdentifiedArrayOf<User>() == [])
        #expect(debugOutput(IdentifiedArray([1], id: \.self)) == "[\n  1,\n]")
    }

    @Test func `a value can be paired with an id`() {
        var identified = Identified("Blob", id: \.count)
        #expect(identified.id == 4)
        #expect(identified.count == 4)
        identified.value = "x"
        #expect(identified.id == 4)
        #expect(Identified(User(id: 1), id: { $0.id + 1 }).id == 2)
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
