import Locking

/// Determines the case in which a function embeds values, and extracts values from that case.
///
/// The first value that could have been embedded is embedded again to learn the tags on the path from `Root` to
/// `Value`. From then on only tags are compared: without a mirror, without strings, and, if the case is one of `Root`
/// itself, without a lock.
final class CaseExtractor<Root, Value>: @unchecked Sendable {
    // Sendable because everything but `embed` is immutable or guarded, and `embed` only wraps a value in a case.
    private let embed: (Value) -> Root
    private let shape: EnumShape?
    /// The tags of the cases around the value, outermost first. Nil until a value has been seen.
    private let learnedPath = Lock<[Int]?>(nil)
    /// The only tag of the path, if the path has one tag. Written once.
    private let singleTag: AtomicTag

    init(_ embed: @escaping (Value) -> Root) {
        self.embed = embed
        shape = EnumShape(Root.self)
        singleTag = AtomicTag()
        learnFromEmptyValue()
    }

    /// Returns the value in `root` if `root` is in the case that values are embedded in.
    func extract(from root: Root) -> Value? {
        guard let shape else { return whole(root) }
        let tag = shape.witnesses.tag(of: root)
        if let known = singleTag.value {
            guard tag == known else { return nil }
            return Self.payload(of: root, shape, tag)
        }
        if Root.self == Value.self, let value = whole(root) { return value }
        guard let (candidate, found) = Self.descend(root, shape, tag) else { return nil }
        guard let path = learnedPath.withLock({ $0 }) else { return learn(from: candidate, at: found) }
        return path == found ? candidate : nil
    }

    /// Returns `root` itself if `embed` returns its argument, like `{ $0 }`.
    private func whole(_ root: Root) -> Value? {
        guard let value = Self.cast(root), ValueComparison.isSame(embed(value), root) else { return nil }
        return value
    }

    /// Embeds the candidate and records the case in which it is found.
    private func learn(from candidate: Value, at found: [Int]) -> Value? {
        // The constructor is an opaque function: calling it is the only way to find its case. Several cases may have
        // payloads of the same type.
        let root = embed(candidate)
        guard let shape, let (_, path) = Self.descend(root, shape, shape.witnesses.tag(of: root)) else { return nil }
        // Threads that learn at the same time store the same path, so the race is harmless.
        learnedPath.withLock { $0 = path }
        if path.count == 1, let tag = path.first { singleTag.value = tag }
        return path == found ? candidate : nil
    }

    /// Learns the tag in advance if the value has no size, because such a value can be created without an example.
    private func learnFromEmptyValue() {
        guard let value = Self.emptyValue else { return }
        _ = learn(from: value, at: [])
    }

    private static func isUninhabited(_ type: any Any.Type) -> Bool {
        if let tuple = TupleMetadata(type) { return (0..<tuple.count).contains { isUninhabited(tuple.element($0)) } }
        return EnumMetadata(type).map { $0.caseCount == 0 } ?? false
    }

    private static var emptyValue: Value? {
        // An uninhabited type, such as `Never` or a tuple with one, has size 0 too, but creating a value of it is
        // undefined behaviour.
        guard MemoryLayout<Value>.size == 0, _isPOD(Value.self), !isUninhabited(Value.self) else { return nil }
        return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { $0.baseAddress?.pointee }
    }

    /// Returns the value in `root`, in any case, and its path: the tags of the cases around it, outermost first, and a
    /// zero for each tuple that has it as its first element.
    private static func descend<Outer>(_ root: Outer, _ shape: EnumShape, _ tag: Int) -> (Value, [Int])? {
        guard shape.cases.indices.contains(tag) else { return nil }
        let found = shape.cases[tag]
        guard let type = found.payload, !isPayload(of: found) else {
            return payload(of: root, shape, tag).map { ($0, [tag]) }
        }
        func step<Payload>(_ type: Payload.Type) -> (Value, [Int])? {
            search(shape.witnesses.payload(of: root, isIndirect: found.isIndirect, as: Payload.self))
        }
        return _openExistential(type, do: step).map { ($0.0, [tag] + $0.1) }
    }

    /// Returns the value in a case's payload. The payload may be another type that can be cast (`any Error` for a
    /// concrete error), an inner enum, or a tuple with the value as its first element.
    private static func search<Payload>(_ payload: Payload) -> (Value, [Int])? {
        if Payload.self != Value.self, let inner = EnumShape(Payload.self) {
            return descend(payload, inner, inner.witnesses.tag(of: payload))
        }
        if let value = cast(payload) { return (value, []) }
        guard let tuple = TupleMetadata(Payload.self), tuple.count > 0 else { return nil }
        func step<Element>(_ type: Element.Type) -> (Value, [Int])? {
            withUnsafePointer(to: payload) { pointer in
                search(UnsafeRawPointer(pointer).assumingMemoryBound(to: Element.self).pointee)
            }
        }
        return _openExistential(tuple.element(0), do: step).map { ($0.0, [0] + $0.1) }
    }

    private static func cast<Payload>(_ payload: Payload) -> Value? {
        // Casting a function that is stored in another calling convention would call it with arguments in the wrong
        // registers.
        FunctionMetadata.canBeReadGenerically(Payload.self) ? payload as? Value : nil
    }

    /// Returns whether the case's payload is a `Value`.
    private static func isPayload(of found: EnumShape.Case) -> Bool {
        guard let type = found.payload else { return false }
        return found.isParameter && type == Value.self || TupleMetadata.isSame(type, Value.self)
    }

    /// Returns the payload of `root` if it is a `Value` or can be cast to one.
    private static func payload<Outer>(of root: Outer, _ shape: EnumShape, _ tag: Int) -> Value? {
        let found = shape.cases[tag]
        guard let type = found.payload else { return found.isOpaque ? nil : emptyValue }
        guard !isPayload(of: found) else {
            return shape.witnesses.payload(of: root, isIndirect: found.isIndirect, as: Value.self)
        }
        func step<Payload>(_ type: Payload.Type) -> Value? {
            cast(shape.witnesses.payload(of: root, isIndirect: found.isIndirect, as: Payload.self))
        }
        return _openExistential(type, do: step)
    }
}
