import CRuntime
import Locking

/// The places of properties on which the state of a part depends, in the objects of its type.
///
/// All sessions share it, and it is never released: there is one for each type of part.
struct WatchedLayout {
    /// A property, by its distance from the beginning of the object.
    struct Place: Equatable {
        let offset: UInt32
        let count: UInt32
    }

    /// The properties that a part has named.
    struct Content: Equatable {
        /// The places whose bytes are kept.
        var kept: [Place] = []
        /// The places of lists that are to be empty.
        var empty: [Place] = []
        var fields = DirectFields()
    }

    private let content: Content
    /// The places as the look at them needs them.
    let places: UnsafePointer<granary_layout>
    /// The size of a copy up to the texts that it retains.
    let textOffset: Int
    /// The fields of the state, if it can be written from the properties.
    let fields: DirectFields?

    private init(_ content: Content) {
        self.content = content
        fields = content.fields.isComplete ? content.fields : nil
        let size = content.kept.reduce(0) { $0 + Int($1.count) }
        textOffset = (size + 7) & ~7
        let all = content.kept + content.empty
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<granary_layout>.stride + all.count * MemoryLayout<granary_place>.stride,
            alignment: MemoryLayout<granary_layout>.alignment)
        // Empty lists without a capacity share one storage.
        let fixed = unsafeBitCast(ContiguousArray<Int>(), to: UnsafeRawPointer.self)
        let places = block.initializeMemory(
            as: granary_layout.self,
            to: granary_layout(
                kept_count: UInt32(content.kept.count), fixed_count: UInt32(content.empty.count), fixed: fixed,
                is_large: size > MemoryLayout<granary_copy>.size || (fields?.textCount ?? 0) > 0))
        let list: UnsafeMutablePointer<granary_place> = granary_layout_places(places)
        for (index, place) in all.enumerated() {
            (list + index).initialize(to: granary_place(offset: place.offset, count: place.count))
        }
        self.places = UnsafePointer(places)
    }

    /// Returns the layout of the properties that a part of a type has named.
    static func shared(_ content: Content, of type: any Any.Type) -> UnsafePointer<WatchedLayout> {
        known.withLock { known in
            let same = known[ObjectIdentifier(type), default: []]
            if let layout = same.first(where: { $0.pointee.content == content }) { return layout }
            let layout = UnsafeMutablePointer<WatchedLayout>.allocate(capacity: 1)
            layout.initialize(to: WatchedLayout(content))
            known[ObjectIdentifier(type)] = same + [UnsafePointer(layout)]
            return UnsafePointer(layout)
        }
    }

    private static let known = Lock<[ObjectIdentifier: [UnsafePointer<WatchedLayout>]]>([:])
}

/// The bytes of a part's properties as they were when its state was last captured.
struct StateWatch: ~Copyable {
    private let layout: UnsafePointer<WatchedLayout>
    private var copy = granary_copy()
    /// Whether the copy has been made.
    private var isKept = false

    init(_ layout: UnsafePointer<WatchedLayout>) {
        self.layout = layout
        guard layout.pointee.places.pointee.is_large else { return }
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: layout.pointee.textOffset + textCount * MemoryLayout<String?>.stride,
            alignment: MemoryLayout<String?>.alignment)
        copy = granary_large_copy(block)
        texts?.initialize(repeating: nil, count: textCount)
    }

    deinit {
        texts?.deinitialize(count: textCount)
        block?.deallocate()
    }

    /// The copy if it is a block of memory of its own.
    private var block: UnsafeMutableRawPointer? {
        layout.pointee.places.pointee.is_large ? granary_copy_block(copy) : nil
    }

    private var textCount: Int { layout.pointee.fields?.textCount ?? 0 }

    /// The texts that are retained, at the end of the block.
    private var texts: UnsafeMutablePointer<String?>? {
        block?.advanced(by: layout.pointee.textOffset).assumingMemoryBound(to: String?.self)
    }

    /// Returns whether the bytes of an object show that the state is the last captured one.
    @inline(__always)
    func isUnchanged(in object: UnsafeRawPointer) -> Bool {
        isKept && granary_is_unchanged(layout.pointee.places, object, copy)
    }

    /// Keeps the bytes of the state that is captured next.
    mutating func keep(_ object: UnsafeRawPointer) {
        granary_keep_places(layout.pointee.places, object, &copy)
        isKept = true
    }

    /// Has the state read next time, whatever the bytes are.
    mutating func forget() { isKept = false }

    /// Whether the state can be written from the properties.
    func hasFields() -> Bool { layout.pointee.fields != nil }

    /// Appends the state from the properties of an object, and retains its texts, so that equal bytes prove an equal state.
    func appendFields(of object: UnsafeRawPointer, to json: inout [UInt8]) {
        layout.pointee.fields?.append(object, retaining: texts, to: &json)
    }
}
