import ComposableArchitecture
import StateCapture

/// The cases of an action that clients may send, found at registration.
struct ActionCatalogue {
    private(set) var routes: [ActionRoute] = []
    /// The reasons why actions cannot be offered.
    private(set) var refused: [String] = []
    /// The names in the selection for which a case exists.
    private(set) var known: Set<String> = []
    /// The actions that look like results of effects, and are offered because the selection lists none.
    private(set) var suspects: [String] = []
    private let selection: ActionSelection

    init(of action: any Any.Type, _ selection: ActionSelection) {
        self.selection = selection
        guard let shape = ActionShape(action) else {
            refused.append("its Action, \(action), is not an enum whose cases can be found")
            return
        }
        explore(shape, Path(types: [ObjectIdentifier(action)], isListed: selection.listed == nil))
    }

    /// The path from the action to the case that is being inspected.
    private struct Path {
        var name = ""
        var steps: [ActionRoute.Step] = []
        var readers: [MemberReader] = []
        var types: Set<ObjectIdentifier>
        /// Whether the case is offered because the selection lists an enclosing case, or has no list.
        var isListed: Bool
    }

    private mutating func explore(_ shape: ActionShape, _ path: Path) {
        for found in shape.cases {
            var inner = path
            inner.name = path.name.isEmpty ? found.name : "\(path.name).\(found.name)"
            let isNamed = selection.listed?.contains(inner.name) ?? false
            if isNamed { known.insert(inner.name) }
            if isNamed { inner.isListed = true }
            if selection.excluded.contains(inner.name) {
                known.insert(inner.name)
            } else if isNamed || !Self.isForMachineOnly(found, of: shape),
                inner.isListed || selection.listsInside(inner.name)
            {
                offer(found, of: shape, inner)
            }
        }
    }

    /// Returns whether a case carries a value that only the machine creates. Such a value has no JSON form, so a client
    /// could not send it: the result of an effect, or an element of a stack that is not `Decodable`.
    private static func isForMachineOnly(_ found: ActionCase, of shape: ActionShape) -> Bool {
        if found.name == "push", let stack = shape.type as? any AnyStackAction.Type {
            return !(stack.elementType is any Decodable.Type)
        }
        return found.values.contains { $0.type is any EffectResult.Type || $0.type == (any Error).self }
    }

    /// Returns whether a case looks like a result of an effect, according to its name or the names of its payload
    /// types.
    private static func looksLikeEffectResult(_ found: ActionCase) -> Bool {
        ([found.name] + found.values.map { String(describing: $0.type) }).contains {
            $0.hasSuffix("Response") || $0.hasSuffix("Result")
        }
    }

    private mutating func offer(_ found: ActionCase, of shape: ActionShape, _ path: Path) {
        // A case that looks like an effect's result and has no JSON form is not intended for clients. So the machine is
        // not refused because of it, unless the case is listed.
        let isOptional = selection.listed == nil && Self.looksLikeEffectResult(found)
        if let obstacle = found.obstacle { return isOptional ? () : refuse(path.name, "it \(obstacle)") }
        var values = found.values
        let inner = values.last.flatMap { Self.inner($0.type) }
        if inner != nil { values.removeLast() }
        var path = path
        for (index, value) in values.enumerated() {
            guard let reader = MemberReader(named: value.label ?? "_\(index)", type: value.type) else {
                return isOptional ? () : refuse(path.name, "\(value.type) must be Decodable")
            }
            path.readers.append(reader)
        }
        path.steps.append(ActionRoute.Step(action: shape.type, found: found, carried: values.count))
        if let inner {
            guard path.types.insert(ObjectIdentifier(inner.type)).inserted else {
                return refuse(path.name, "\(inner.type) contains itself")
            }
            explore(inner, path)
        } else if path.isListed {
            if isOptional { suspects.append(path.name) }
            add(path, ownCount: values.count)
        }
    }

    /// Returns the shape of a nested action: an enum that is not decoded as a value.
    private static func inner(_ type: any Any.Type) -> ActionShape? {
        if MetadataKind(of: type) == .optional || type is any Decodable.Type { return nil }
        return ActionShape(type)
    }

    private mutating func add(_ path: Path, ownCount: Int) {
        var readers = path.readers
        let isNested = readers.count > ownCount
        if isNested, ownCount == 1, let last = readers.popLast() {
            readers.append(last.name.hasPrefix("_") ? last.named("value") : last)
        }
        guard Set(readers.map(\.name)).count == readers.count else {
            return refuse(path.name, "two associated values on the path to it have the same name")
        }
        let body: ActionBody =
            switch readers.count {
            case 0: .nothing
            case 1 where !isNested && ownCount == 1: .value(readers[0])
            default: .members(readers)
            }
        routes.append(ActionRoute(name: path.name, steps: path.steps, body: body))
    }

    private mutating func refuse(_ name: String, _ reason: String) {
        refused.append(
            "its action \"\(name)\" cannot be offered: \(reason) (exclude it, or list the actions to offer)")
    }
}

/// The actions that a registration offers, by dotted names.
struct ActionSelection {
    /// The offered actions, each with all actions that are nested in it; nil for all actions.
    var listed: Set<String>?
    /// The actions that are not offered, each with all actions that are nested in it.
    var excluded: Set<String> = []

    /// Returns whether an action that is nested in the named one is listed.
    func listsInside(_ name: String) -> Bool {
        listed?.contains { $0.hasPrefix(name + ".") } ?? false
    }
}

/// A type whose values only effects create, never clients.
private protocol EffectResult {}

extension Result: EffectResult {}
extension TaskResult: EffectResult {}

// A binding action sets the property at an arbitrary key path, so a registration lists the bindings that it offers.
extension BindingAction: EffectResult {}
