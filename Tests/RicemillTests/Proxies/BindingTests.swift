import Ricemill
import Testing

/// Bindings without a user interface.
struct BindingTests {
    struct Point: Equatable {
        var x = 1
        var y = 2
    }

    final class Box {
        var point = Point()
        var name: String? = "a"
    }

    struct View {
        @Binding var point: Point

        var x: Binding<Int> { $point.x }

        func move() { point.x += 10 }
    }

    private let box = Box()
    private var binding: Binding<Point> {
        let box = box
        return Binding(get: { box.point }, set: { box.point = $0 })
    }

    @Test func `a binding reads and writes the referenced value`() {
        binding.wrappedValue.y = 7
        #expect(box.point == Point(x: 1, y: 7))
        #expect(binding.wrappedValue == box.point)
    }

    @Test func `a member of a binding is a binding to that member`() {
        let x = binding.x
        x.wrappedValue = 5
        #expect(box.point.x == 5)
    }

    @Test func `a property wrapped in a binding can be passed on`() {
        let view = View(point: binding)
        view.move()
        view.x.wrappedValue += 1
        #expect(box.point.x == 12)
    }

    @Test func `a constant ignores writes`() {
        let constant = Binding.constant(3)
        constant.wrappedValue = 4
        #expect(constant.wrappedValue == 3)
    }

    @Test func `a binding to an optional converts to one to its value while there is one`() throws {
        let box = box
        let optional = Binding<String?>(get: { box.name }, set: { box.name = $0 })
        let name = try #require(Binding(optional))
        name.wrappedValue = "b"
        #expect(box.name == "b")
        box.name = nil
        #expect(name.wrappedValue == "a")
        let missing: Binding<String>? = Binding(optional)
        #expect(missing.map(\.wrappedValue) == nil)
    }
}
