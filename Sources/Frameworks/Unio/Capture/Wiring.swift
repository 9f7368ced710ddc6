public import StateCapture

// A stream captures its own parts, so a property that holds one has no state of its own.
extension PrimitiveStream: WiringProperty {}
extension InstanceLogicStream: WiringProperty {}
extension AnyLogicBasedStream: WiringProperty {}
extension AnyUnioStream: WiringProperty {}
extension InputWrapper: WiringProperty {}
extension OutputWrapper: WiringProperty {}
extension ObservableWrapper: WiringProperty {}
extension Dependency: WiringProperty {}
extension Computed: WiringProperty {}
extension PrimitiveProperty: WiringProperty {}
