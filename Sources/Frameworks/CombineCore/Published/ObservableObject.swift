import Locking

/// An object that announces each change before it happens.
public protocol ObservableObject: AnyObject {
    /// The type of the publisher that announces changes.
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never

    /// A publisher that emits before the object changes.
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// A publisher that emits before one of the object's ``Published`` properties changes, including those of
    /// superclasses.
    ///
    /// The first access finds the properties and installs the publisher in each of them. An object without such properties has its own
    /// publisher as well, for what the object sends to it.
    public var objectWillChange: ObservableObjectPublisher {
        var installed: ObservableObjectPublisher?
        PublishedFields.forEach(of: self) { property, address in
            let publisher = property.installWillChange(installed, at: address)
            installed = installed ?? publisher
        }
        return installed ?? WillChangePublishers.publisher(of: self)
    }
}

/// The publishers of objects in which nothing can hold them.
private enum WillChangePublishers {
    private static let table = Lock(WeakTable<ObjectIdentifier, AnyObject, ObservableObjectPublisher>())

    static func publisher(of object: AnyObject) -> ObservableObjectPublisher {
        let (publisher, removed) = table.withLock { table in
            let key = ObjectIdentifier(object)
            if let known = table[key] { return (known.value, [ObservableObjectPublisher]()) }
            let made = ObservableObjectPublisher()
            return (made, table.insert(object, made, for: key))
        }
        // Outside of the lock: their subscribers may call back when they are released.
        withExtendedLifetime(removed) {}
        return publisher
    }
}
