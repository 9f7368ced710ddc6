import CasePaths
import ComposableArchitecture
import MachineHost

/// The cases of an action that clients can send, found by looking at the type when the machine is registered.
struct ActionCatalogue {
    private(set) var routes: [ActionRoute] = []
    /// What cannot be offered, and why.
    private(set) var refused: [String] = []
    /// Which of the names that were given mean something.
    private(set) var known: Set<String> = []
    private let answers: Set<String>
    private let offered: Set<String>

    /// Looks at an action.
    ///
    /// - Parameters:
    ///   - answers: Names of cases that effects send. With one go all that lead on from it.
    ///   - offered: Names of cases that look like answers of effects and are to be offered all the same.
    init(of action: any Any.Type, answers: Set<String>, offered: Set<String>) {
        self.answers = answers
        self.offered = offered
        guard let shape = EnumShape(action) else {
            refused.append("its Action, \(action), is no enum whose cases can be found")
            return
        }
        explore(shape, Way(types: [ObjectIdentifier(action)]))
    }

    /// The way so far.
    private struct Way {
        var name = ""
        var steps: [ActionRoute.Step] = []
        var readers: [MemberReader] = []
        var types: Set<ObjectIdentifier>
    }

    private mutating func explore(_ shape: EnumShape, _ way: Way) {
        for (tag, found) in shape.cases.enumerated() {
            let name = way.name.isEmpty ? found.name : "\(way.name).\(found.name)"
            if answers.contains(name) {
                known.insert(name)
            } else if offered.contains(name) {
                known.insert(name)
                offer(found, tag, of: shape, named: name, way)
            } else if !Self.isAnswer(found) {
                offer(found, tag, of: shape, named: name, way)
            }
        }
    }

    /// Whether only an effect would send that.
    private static func isAnswer(_ found: EnumShape.Case) -> Bool {
        found.name.hasSuffix("Response") || found.values.contains { $0.type is any AnswerOfEffect.Type }
            || found.values.contains { $0.type == (any Error).self }
    }

    private mutating func offer(
        _ found: EnumShape.Case, _ tag: Int, of shape: EnumShape, named name: String, _ way: Way
    ) {
        if found.isOpaque || found.isIndirect {
            let reason = found.isIndirect ? "is indirect" : "carries something whose type the run time does not find"
            return refuse(name, "it \(reason)")
        }
        var values = found.values
        let inner = values.last.flatMap { Self.inner($0.type) }
        if inner != nil { values.removeLast() }
        var way = way
        way.name = name
        for (index, value) in values.enumerated() {
            guard let reader = MemberReader(named: value.label ?? "_\(index)", type: value.type) else {
                return refuse(name, "\(value.type) has to be Decodable")
            }
            way.readers.append(reader)
        }
        way.steps.append(ActionRoute.Step(shape: shape, tag: tag, carried: values.count))
        guard let inner else { return add(way, ownCount: values.count) }
        guard way.types.insert(ObjectIdentifier(inner.type)).inserted else {
            return refuse(name, "\(inner.type) holds itself")
        }
        explore(inner, way)
    }

    /// The action in an action: an enum that is not read as a value.
    private static func inner(_ type: any Any.Type) -> EnumShape? {
        if type is any Decodable.Type || type is any OptionalType.Type { return nil }
        return EnumShape(type)
    }

    private mutating func add(_ way: Way, ownCount: Int) {
        var readers = way.readers
        let isNested = readers.count > ownCount
        if isNested, ownCount == 1, let last = readers.popLast() {
            readers.append(last.name.hasPrefix("_") ? last.named("value") : last)
        }
        guard Set(readers.map(\.name)).count == readers.count else {
            return refuse(way.name, "two of the values on the way to it have the same name")
        }
        let body: ActionBody =
            switch readers.count {
            case 0: .nothing
            case 1 where !isNested && ownCount == 1: .value(readers[0])
            default: .members(readers)
            }
        routes.append(ActionRoute(name: way.name, steps: way.steps, body: body))
    }

    private mutating func refuse(_ name: String, _ reason: String) {
        refused.append(
            "its action \"\(name)\" cannot be offered: \(reason) (or name it among the answers, if only effects send it)"
        )
    }
}

/// A type that effects answer with: nobody sends one from outside.
private protocol AnswerOfEffect {}

extension Result: AnswerOfEffect {}
extension TaskResult: AnswerOfEffect {}

// A binding sets a property that a key path names: the registration says which ones are offered.
extension BindingAction: AnswerOfEffect {}

private protocol OptionalType {}

extension Optional: OptionalType {}
