/// An observer that passes each element and an unretained object to a closure.
///
/// Completions and errors are ignored; RxSwift stops a debug build for an error. Nothing happens once the object is
/// deallocated.
public struct Binder<Value>: ObserverType {
    /// The type of the bound values.
    public typealias Element = Value

    private let binding: (Event<Value>) -> Void

    /// Creates a binder that runs `binding` on `scheduler`. The default scheduler is the main queue or, inside a hosted
    /// machine, the session's loop.
    public init<Target: AnyObject>(
        _ target: Target, scheduler: any ImmediateSchedulerType = MainScheduler.instance,
        binding: @escaping (Target, Value) -> Void
    ) {
        self.binding = { [weak target] event in
            guard case .next(let element) = event else { return }
            _ = scheduler.resolveImmediate().schedule(element) { element in
                // Checked in the action: the object may be deallocated between the event and its delivery.
                if let target { binding(target, element) }
                return Disposables.create()
            }
        }
    }

    /// Binds the event's element, if it has one.
    public func on(_ event: Event<Value>) {
        binding(event)
    }

    /// Returns a type-erased observer that forwards events to the binder.
    public func asObserver() -> AnyObserver<Value> {
        AnyObserver(eventHandler: on)
    }
}
