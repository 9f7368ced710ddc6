/// An observer that hands each element to a closure together with an object that it does not retain.
///
/// Only elements arrive: a completion is ignored, and so is an error, which RxSwift stops a debug build for. Nothing
/// happens once the object has been deallocated.
public struct Binder<Value>: ObserverType {
    /// What is bound.
    public typealias Element = Value

    private let binding: (Event<Value>) -> Void

    /// Runs `binding` on the scheduler, which by default is the main queue, inside a hosted machine the session's loop.
    public init<Target: AnyObject>(
        _ target: Target, scheduler: any ImmediateSchedulerType = MainScheduler.instance,
        binding: @escaping (Target, Value) -> Void
    ) {
        self.binding = { [weak target] event in
            guard case .next(let element) = event else { return }
            _ = scheduler.resolveImmediate().schedule(element) { element in
                if let target { binding(target, element) }
                return Disposables.create()
            }
        }
    }

    /// Binds the element of the event, if it has one.
    public func on(_ event: Event<Value>) {
        binding(event)
    }

    /// The binder with its type hidden.
    public func asObserver() -> AnyObserver<Value> {
        AnyObserver(eventHandler: on)
    }
}
