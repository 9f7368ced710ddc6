/// A property of a class that publishes each new value just before it is stored.
///
/// Setting it first announces the change through the object's ``ObservableObject/objectWillChange``, then delivers the
/// new value to the subscribers of the projected publisher, in the order of their subscription, and then stores it. So
/// a subscriber is handed the new value while the property still reads the old one; that holds for one who subscribes
/// at that very moment, too. Equal values are published like any other.
///
/// Copies of the wrapper share one storage.
@propertyWrapper
public struct Published<Value> {
    @usableFromInline let box: PublishedBox<Value>

    /// Makes a property with a first value.
    @inlinable
    public init(wrappedValue: Value) {
        box = PublishedBox(wrappedValue)
    }

    /// Makes a property with a first value.
    @inlinable
    public init(initialValue: Value) {
        box = PublishedBox(initialValue)
    }

    /// The stored value; setting it publishes.
    @inlinable public var wrappedValue: Value {
        get { box.current }
        nonmutating set { box.set(newValue) }
    }

    /// The publisher of the property's values. Assigning another property's publisher changes nothing.
    @inlinable public var projectedValue: Publisher {
        get { Publisher(box) }
        nonmutating set { _ = newValue }
    }

    /// Delivers the value that the property has, or is about to have, and then each new one before it is stored.
    ///
    /// It ends when the property goes away, without a completion.
    @frozen
    public struct Publisher: CombineCore.Publisher {
        /// The property's values.
        public typealias Output = Value
        /// A property cannot fail.
        public typealias Failure = Never

        @usableFromInline let box: PublishedBox<Value>

        @inlinable
        init(_ box: PublishedBox<Value>) {
            self.box = box
        }

        /// Attaches `subscriber`, which gets the current value as soon as it asks.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            box.attach(subscriber)
        }
    }
}

extension Published: PublishedProperty {
    package var storage: any AnyPublishedStorage { box }

    package static func storage(at address: UnsafeRawPointer) -> any AnyPublishedStorage {
        address.assumingMemoryBound(to: Published<Value>.self).pointee.box
    }
}

extension Publisher where Failure == Never {
    /// Publishes every value through a ``Published`` property, for as long as the property and the stream live.
    @inlinable
    public func assign(to published: inout Published<Output>.Publisher) {
        let box = published.box
        let subscriber = PropertySubscriber(box)
        box.keep(subscriber)
        receive(subscriber: subscriber)
    }
}
