/// An object that announces each change before it happens.
public protocol ObservableObject: AnyObject {
    /// The type of the publisher that announces changes.
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never

    /// Emits before the object changes.
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// Emits before one of the object's ``Published`` properties changes, those of superclasses included.
    ///
    /// The first access finds the properties and installs the publisher in each of them. An object without such
    /// properties gets a new publisher at every access.
    public var objectWillChange: ObservableObjectPublisher {
        var installed: ObservableObjectPublisher?
        PublishedFields.forEach(of: self) { storage in
            let publisher = storage.installWillChange(installed)
            installed = installed ?? publisher
        }
        return installed ?? ObservableObjectPublisher()
    }
}
