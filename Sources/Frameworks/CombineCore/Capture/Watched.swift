public import StateCapture

// The properties on which the states of the most frequent operators depend. The demand shows whether a conduit has ended.

extension Connection {
    @usableFromInline
    func watch(_ places: inout WatchedPlaces) {
        // The value for which a subscriber lacks demand changes no property of the connection.
        if Origin.self is any StatefulOrigin.Type, demand.current != DemandWord.unlimited { return }
        places.add(&place, named: "value", of: self)
        places.add(constant: demand, of: self)
    }

    // Its state is the place: nothing is behind without a current value, or with unlimited demand.
    @usableFromInline
    func readState(_ read: () -> Void) -> Bool? {
        if demand.isEnded { return false }
        read()
        return true
    }
}

extension Subscribers.Sink {
    /// Adds the closure for values.
    public func watch(_ places: inout WatchedPlaces) {
        places.add(&onValue, of: self)
    }
}

extension ValueSink {
    @usableFromInline
    func watch(_ places: inout WatchedPlaces) {
        places.add(&onValue, of: self)
    }
}

extension Subscribers.Assign {
    /// Adds the object.
    public func watch(_ places: inout WatchedPlaces) {
        places.add(&target, of: self)
    }
}

extension LatestConduit {
    @usableFromInline
    func watch(_ places: inout WatchedPlaces) {
        places.add(&a, named: "a", of: self)
        places.add(&b, named: "b", of: self)
        places.add(&c, named: "c", of: self)
        places.add(&d, named: "d", of: self)
        places.add(&finished, named: "finished", of: self)
        places.add(constant: demand, of: self)
    }

    @usableFromInline
    func readState(_ read: () -> Void) -> Bool? { state(read) != nil }
}

extension ZipConduit {
    @usableFromInline
    func watch(_ places: inout WatchedPlaces) {
        places.add(&a, of: self)
        places.add(&b, of: self)
        places.add(&c, of: self)
        places.add(&d, of: self)
        places.add(&finished, of: self)
        places.add(constant: demand, of: self)
    }
}

extension MergeConduit {
    @usableFromInline
    func watch(_ places: inout WatchedPlaces) {
        // In place of the list of the upstreams, which is changed in place.
        places.add(&running, of: self)
        places.add(nearlyAlwaysEmpty: &kept, of: self)
        places.add(constant: demand, of: self)
    }
}

extension TransformationConduit {
    @usableFromInline
    func watch(_ places: inout WatchedPlaces) {
        places.add(&memory, of: self)
        places.add(constant: demand, of: self)
    }
}

extension Publishers.Scan.Inner {
    @usableFromInline
    func watch(_ places: inout WatchedPlaces) {
        places.add(&result, of: self)
    }
}

extension Publishers.RemoveDuplicates.Inner {
    @usableFromInline
    func watch(_ places: inout WatchedPlaces) {
        places.add(&previous, of: self)
        places.add(constant: demand, of: self)
    }
}

extension CurrentValueSubject {
    /// Adds the value and the completion.
    public func watchHeld(_ places: inout WatchedPlaces) {
        places.add(&latest, of: self)
        places.add(&completion, of: self)
    }
}

extension PassthroughSubject {
    /// Adds the completion.
    public func watchHeld(_ places: inout WatchedPlaces) {
        places.add(&completion, of: self)
    }
}

extension PublishedBox {
    @usableFromInline
    func watchHeld(_ places: inout WatchedPlaces) {
        places.add(&value, of: self)
    }
}

extension Published {
    /// Adds the value.
    public func watchHeld(_ places: inout WatchedPlaces) {
        places.add(&box.value, of: box)
    }
}

// They have the `encode(to:)` that the compiler makes.
extension LiveState: FieldwiseState {}
extension ValueState: FieldwiseState {}
extension OptionalState: FieldwiseState {}
extension LatestState: FieldwiseState {}
extension MergeState: FieldwiseState {}
extension StoredSubject: FieldwiseState {}
extension StoredEnd: FieldwiseState {}
