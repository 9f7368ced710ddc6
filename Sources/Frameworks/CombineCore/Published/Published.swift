/// A property of a class that publishes each new value just before it is stored.
///
/// Setting the property first announces the change through the object's ``ObservableObject/objectWillChange``. It then
/// delivers the new value to the subscribers of the projected publisher, in the order of their subscriptions, and
/// finally stores it. A subscriber therefore receives the new value while the property still reads the old one. That
/// also holds for a subscriber that subscribes during the delivery. Values that equal the previous one are published,
/// too.
///
/// Copies of the wrapper share one storage.
@propertyWrapper
public struct Published<Value> {
    // A class instance: copies of the wrapper, such as the one in a `Mirror`, must lead to the same value and
    // subscribers.
    @usableFromInline let box: PublishedBox<Value>

    /// Creates a property with an initial value.
    @inlinable
    public init(wrappedValue: Value) {
        box = PublishedBox(wrappedValue)
    }

    /// Creates a property with an initial value.
    @inlinable
    public init(initialValue: Value) {
        box = PublishedBox(initialValue)
    }

    /// Creates a property of an object that captures the value otherwise.
    @inlinable
    package init(uncaptured value: Value) {
        box = PublishedBox(uncaptured: value)
    }

    /// The stored value. Setting it publishes the new value.
    @inlinable public var wrappedValue: Value {
        get { box.current }
        nonmutating set { box.set(newValue) }
    }

    /// The publisher of the property's values. Assigning another property's publisher has no effect.
    @inlinable public var projectedValue: Publisher {
        get { Publisher(box) }
        nonmutating set { _ = newValue }
    }

    /// A publisher that delivers the current or imminent value of the property, and then each new value before it is
    /// stored.
    ///
    /// When the property is deallocated, no more values follow, and no completion.
    @frozen
    public struct Publisher: CombineCore.Publisher {
        /// The type of the property's values.
        public typealias Output = Value
        /// The publisher never fails.
        public typealias Failure = Never

        @usableFromInline let box: PublishedBox<Value>

        @inlinable
        init(_ box: PublishedBox<Value>) {
            self.box = box
        }

        /// Attaches `subscriber`, which receives the current value on its first request.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            box.attach(subscriber)
        }
    }
}

extension Published: PublishedProperty {
    static func installWillChange(
        _ publisher: ObservableObjectPublisher?, at address: UnsafeRawPointer
    ) -> ObservableObjectPublisher {
        address.assumingMemoryBound(to: Published<Value>.self).pointee.box.installWillChange(publisher)
    }
}

extension Publisher where Failure == Never {
    /// Publishes every value through a ``Published`` property, as long as both the property and the stream exist.
    @inlinable
    public func assign(to published: inout Published<Output>.Publisher) {
        let box = published.box
        let subscriber = PropertySubscriber(box)
        box.keep(subscriber)
        attach(subscriber)
    }
}
