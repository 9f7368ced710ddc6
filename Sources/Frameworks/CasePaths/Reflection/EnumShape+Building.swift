extension EnumShape.Case {
    /// The associated values of the case: the elements of its tuple, or its only value.
    package var values: [(label: String?, type: any Any.Type)] {
        guard let payload else { return [] }
        guard let tuple = TupleMetadata(payload) else { return [(label, payload)] }
        return zip(tuple.labels, 0..<tuple.count).map { ($0.isEmpty ? nil : $0, tuple.element($1)) }
    }
}

extension EnumShape.Case {
    /// Whether a value of the case can be created: the type of its payload is known, and has a size if it is in a box.
    package var canBeCreated: Bool { !isOpaque && (payload != nil || !isIndirect) }

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
    package func payload<Root, Payload>(of value: Root, as type: Payload.Type) -> Payload {
        witnesses.payload(of: value, isIndirect: cases[tag(of: value)].isIndirect, as: type)
    }

    /// Creates a value of the case with a tag, whose payload a closure initializes at an address.
    package func value<Root>(
        ofCase tag: Int, as type: Root.Type, _ initialize: (UnsafeMutableRawPointer) -> Void
    ) -> Root {
        precondition(Root.self == self.type, "Expected the shape of \(Root.self), got that of \(self.type)")
        guard cases[tag].isIndirect, let payload = cases[tag].payload else {
            return witnesses.value(tag: tag, as: type, putPayload: initialize)
        }
        func boxed<Payload>(_ payload: Payload.Type) -> Root {
            let box = withUnsafeTemporaryAllocation(of: Payload.self, capacity: 1) { buffer in
                guard let place = buffer.baseAddress else { preconditionFailure("An allocation has no address") }
                initialize(UnsafeMutableRawPointer(place))
                return PayloadBox.payload(place.move())
            }
            return witnesses.value(tag: tag, as: type) { $0.initializeMemory(as: PayloadBox<Payload>.self, to: box) }
        }
        return _openExistential(payload, do: boxed)
    }

    /// Creates a value of the case with a tag.
    ///
    /// - Parameters:
    ///   - values: The associated values, in the order of ``Case/values``.
    ///   - type: The enum type.
    /// - Returns: Nil if `values` do not fit the case, or if it cannot be created.
    package func value<Root>(ofCase tag: Int, carrying values: [Any], as type: Root.Type) -> Root? {
        precondition(Root.self == self.type, "Expected the shape of \(Root.self), got that of \(self.type)")
        guard cases.indices.contains(tag) else { return nil }
        let found = cases[tag]
        guard found.canBeCreated, Self.fit(values, found) else { return nil }
        return value(ofCase: tag, as: type) { Self.put(values, of: found, into: $0) }
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

/// The box of an indirect case, as compiled code allocates it: a value consists of the reference to the box.
private enum PayloadBox<Payload> {
    indirect case payload(Payload)
}
