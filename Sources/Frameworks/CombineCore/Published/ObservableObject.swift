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
    /// The first access finds the properties and installs the publisher in each of them. An object without such
    /// properties returns a new publisher on every access.
    public var objectWillChange: ObservableObjectPublisher {
        var installed: ObservableObjectPublisher?
        PublishedFields.forEach(of: self) { storage in
            let publisher = storage.installWillChange(installed)
            installed = installed ?? publisher
        }
        return installed ?? ObservableObjectPublisher()
    }
}
