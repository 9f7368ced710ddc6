extension EnumShape.Case {
    /// The associated values of the case: the elements of its tuple, or its only value.
    package var values: [(label: String?, type: any Any.Type)] {
        guard let payload else { return [] }
        guard let tuple = TupleMetadata(payload) else { return [(label, payload)] }
        return zip(tuple.labels, 0..<tuple.count).map { ($0.isEmpty ? nil : $0, tuple.element($1)) }
    }
}

extension EnumShape.Case {
    /// The associated values with their offsets in the payload. A value without a label is named by its index.
    package var places: [(name: String, offset: Int, type: any Any.Type)] {
        let tuple = payload.flatMap { TupleMetadata($0) }
        return values.enumerated().map { index, value in
            (value.label ?? "_\(index)", tuple?.offset(index) ?? 0, value.type)
        }
    }
}

extension EnumShape {
    /// Returns the payload of a copy of a value in a case whose payload is a `Payload`.
    package func payload<Root, Payload>(
        of value: Root, isIndirect: Bool = false, as type: Payload.Type
    ) -> Payload {
        precondition(Root.self == self.type, "Expected the shape of \(Root.self), got that of \(self.type)")
        return witnesses.payload(of: value, isIndirect: isIndirect, as: type)
    }

    /// Creates a value of the case with a tag, whose payload a closure initializes at an address. The case must not be
    /// indirect.
    package func value<Root>(
        ofCase tag: Int, as type: Root.Type, _ initialize: (UnsafeMutableRawPointer) -> Void
    ) -> Root {
        precondition(Root.self == self.type, "Expected the shape of \(Root.self), got that of \(self.type)")
        return witnesses.value(tag: tag, as: type, putPayload: initialize)
    }

    /// Creates a value of the case with a tag.
    ///
    /// - Parameters:
    ///   - tag: The tag of the case.
    ///   - values: The associated values, in the order of ``Case/values``.
    ///   - type: The enum type.
    /// - Returns: Nil if `values` do not fit the case, if the type of the payload could not be resolved, or if the case
    ///   is indirect: only compiled code can allocate the box of an indirect payload.
    package func value<Root>(ofCase tag: Int, carrying values: [Any], as type: Root.Type) -> Root? {
        precondition(Root.self == self.type, "Expected the shape of \(Root.self), got that of \(self.type)")
        guard cases.indices.contains(tag) else { return nil }
        let found = cases[tag]
        guard !found.isOpaque, !found.isIndirect else { return nil }
        guard let payload = found.payload else {
            return values.isEmpty ? witnesses.value(tag: tag, as: Root.self) { _ in } : nil
        }
        guard Self.fit(values, found) else { return nil }
        func size<Payload>(_ type: Payload.Type) -> (Int, Int) {
            (MemoryLayout<Payload>.size, MemoryLayout<Payload>.alignment)
        }
        let (byteCount, alignment) = _openExistential(payload, do: size)
        return withUnsafeTemporaryAllocation(byteCount: max(1, byteCount), alignment: alignment) { buffer -> Root? in
            guard let memory = buffer.baseAddress else { return nil }
            Self.put(values, of: found, into: memory)
            func move<Payload>(_ type: Payload.Type) -> Root {
                let value = memory.assumingMemoryBound(to: Payload.self).move()
                return witnesses.value(tag: tag, as: Root.self) { place in
                    place.initializeMemory(as: Payload.self, to: value)
                }
            }
            return _openExistential(payload, do: move)
        }
    }

    private static func fit(_ values: [Any], _ found: Case) -> Bool {
        let types = found.values.map(\.type)
        guard types.count == values.count else { return false }
        return zip(types, values).allSatisfy { type, value in
            func fits<Value>(_ type: Value.Type) -> Bool { value is Value }
            return _openExistential(type, do: fits)
        }
    }

    /// Writes the associated values of a case into memory, in the layout of its payload. The types of `values` have
    /// been checked.
    private static func put(_ values: [Any], of found: Case, into memory: UnsafeMutableRawPointer) {
        let tuple = found.payload.flatMap { TupleMetadata($0) }
        for (index, (entry, value)) in zip(found.values, values).enumerated() {
            let place = memory + (tuple?.offset(index) ?? 0)
            func put<Value>(_ type: Value.Type) {
                if let value = value as? Value { place.initializeMemory(as: Value.self, to: value) }
            }
            _openExistential(entry.type, do: put)
        }
    }
}
