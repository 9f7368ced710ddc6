/// An object with a state that has registered itself when it was created, and that may yet become a member.
///
/// Most objects do. So what a part needs, which takes longer to make than the object, is made only for those that do not, when
/// the machine is wired.
final class ProvisionalPart<Holder: StateHolder & AnyObject>: CapturedPart {
    private let ownKey: PartKey
    private let object: Holder
    private let name: String

    init(key: PartKey, _ holder: Holder, named name: String) {
        ownKey = key
        object = holder
        self.name = name
    }

    override var key: PartKey { ownKey }

    override var holder: ObjectIdentifier? { ObjectIdentifier(object) }

    override var isCreated: Bool { true }

    override func settled() throws(CaptureObstacle) -> CapturedPart {
        try HolderPart(key, object, named: name, isCreated: true)
    }
}
