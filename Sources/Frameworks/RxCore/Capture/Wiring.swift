public import StateCapture

// The wiring of a machine is built again by its factory. Subjects and relays with state are holders, too, which has
// precedence.
extension Observable: WiringProperty {}
extension Infallible: WiringProperty {}
extension PrimitiveSequence: WiringProperty {}
extension AnyObserver: WiringProperty {}
extension Binder: WiringProperty {}
extension Reactive: WiringProperty {}
extension GroupedObservable: WiringProperty {}
extension PublishRelay: WiringProperty {}

extension DisposeBag: WiringProperty {}
extension BooleanDisposable: WiringProperty {}
extension CompositeDisposable: WiringProperty {}
extension RefCountDisposable: WiringProperty {}
extension ScheduledDisposable: WiringProperty {}
extension SerialDisposable: WiringProperty {}
extension SingleAssignmentDisposable: WiringProperty {}

extension MainScheduler: WiringProperty {}
extension ConcurrentMainScheduler: WiringProperty {}
extension CurrentThreadScheduler: WiringProperty {}
extension SerialDispatchQueueScheduler: WiringProperty {}
extension ConcurrentDispatchQueueScheduler: WiringProperty {}
extension OperationQueueScheduler: WiringProperty {}
