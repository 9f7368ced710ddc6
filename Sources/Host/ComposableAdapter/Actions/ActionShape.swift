import CasePaths
import Locking

/// The cases of an action: as `@CasePathable` describes them, or found by reflection for other enums.
struct ActionShape {
    let type: any Any.Type
    let cases: [ActionCase]

    /// Returns nil for a type that is not an enum, or whose cases cannot be found.
    init?(_ type: any Any.Type) {
        self.type = type
        if let described = (type as? any CasePathable.Type)?._$cases, !described.isEmpty {
            cases = described.map { ActionCase(name: $0.name, values: $0.values, obstacle: nil, make: $0.make) }
        } else if let shape = EnumShape(type) {
            cases = shape.cases.enumerated().map { ActionCase($1, tag: $0, of: shape) }
        } else {
            return nil
        }
    }
}

struct ActionCase: Sendable {
    let name: String
    /// The associated values, in order.
    let values: [CaseDescription.Value]
    /// The reason why the case cannot be created.
    let obstacle: String?
    // The closure captures only types.
    private let creation: UnsafeTransfer<([Any]) -> Any?>

    /// Creates the case with values. Returns nil if one has another type.
    func make(_ values: [Any]) -> Any? {
        creation.value(values)
    }

    fileprivate init(
        name: String, values: [CaseDescription.Value], obstacle: String?, make: @escaping ([Any]) -> Any?
    ) {
        self.name = name
        self.values = values
        self.obstacle = obstacle
        creation = UnsafeTransfer(make)
    }

    fileprivate init(_ found: EnumShape.Case, tag: Int, of shape: EnumShape) {
        name = found.name
        values = found.values.map { ($0.label, $0.type) }
        obstacle =
            found.isIndirect
            ? "is indirect"
            : found.isOpaque ? "has an associated value whose type the run time does not find" : nil
        creation = UnsafeTransfer { values in
            func make<Root>(_ type: Root.Type) -> Any? {
                shape.value(ofCase: tag, carrying: values, as: type)
            }
            return _openExistential(shape.type, do: make)
        }
    }
}
