import CombineCore
import Locking

/// A shared value, or a part of one.
final class SharedBox<Value>: Sendable {
    let root: SharedRoot
    /// Whether this is the value of the root, not a part of it.
    let isWhole: Bool
    private let get: @Sendable (Any) -> UnsafeTransfer<Value>
    private let set: @Sendable (inout Any, UnsafeTransfer<Value>) -> Void

    init(whole root: SharedRoot) {
        self.root = root
        isWhole = true
        get = { UnsafeTransfer(SharedBox.cast($0)) }
        set = { $0 = $1.value }
    }

    private init(
        _ root: SharedRoot, get: @escaping @Sendable (Any) -> UnsafeTransfer<Value>,
        set: @escaping @Sendable (inout Any, UnsafeTransfer<Value>) -> Void
    ) {
        self.root = root
        isWhole = false
        self.get = get
        self.set = set
    }

    private static func cast(_ value: Any) -> Value {
        guard let value = value as? Value else {
            preconditionFailure("a shared value of type \(Value.self) has become a \(type(of: value))")
        }
        return value
    }

    var value: Value { self.get(root.value).value }

    func modify<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try root.modify { any in
            var value = get(any).value
            let result = try body(&value)
            set(&any, UnsafeTransfer(value))
            return result
        }
    }

    func addObserver(_ observer: @escaping (Value) -> Void) -> AnyCancellable {
        root.addObserver { [get] in observer(get($0).value) }
    }

    func derived<Part>(
        get part: @escaping @Sendable (Value) -> Part, set assign: @escaping @Sendable (inout Value, Part) -> Void
    ) -> SharedBox<Part> {
        SharedBox<Part>(
            root, get: { [get] in UnsafeTransfer(part(get($0).value)) },
            set: { [get, set] any, new in
                var value = get(any).value
                assign(&value, new.value)
                set(&any, UnsafeTransfer(value))
            })
    }
}
