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
    /// The number under which a capture finds the places; never 0.
    let number: UInt16
    /// The size of a copy up to the texts that it retains.
    let textOffset: Int
    /// The fields of the state, if it can be written from the properties.
    let fields: DirectFields?

    private init(_ content: Content, _ number: UInt16) {
        (self.content, self.number) = (content, number)
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
                is_large: size > MemoryLayout<granary_copy>.size || (fields?.textCount ?? 0) > 0, details: nil))
        let list: UnsafeMutablePointer<granary_place> = granary_layout_places(places)
        for (index, place) in all.enumerated() {
            (list + index).initialize(to: granary_place(offset: place.offset, count: place.count))
        }
        self.places = places
    }

    private let places: UnsafeMutablePointer<granary_layout>

    /// Returns the number of the layout of the properties that a part of a type has named; 0 if there are too many layouts, as after
    /// 65,535 types.
    static func shared(_ content: Content, of type: any Any.Type) -> UInt16 {
        known.withLock { known in
            let same = known.layouts[ObjectIdentifier(type), default: []]
            if let layout = same.first(where: { $0.pointee.content == content }) { return layout.pointee.number }
            guard known.last < .max else { return 0 }
            known.last += 1
            let layout = UnsafeMutablePointer<WatchedLayout>.allocate(capacity: 1)
            layout.initialize(to: WatchedLayout(content, known.last))
            layout.pointee.places.pointee.details = UnsafeRawPointer(layout)
            granary_set_layout(known.last, layout.pointee.places)
            known.layouts[ObjectIdentifier(type)] = same + [UnsafePointer(layout)]
            return known.last
        }
    }

    private struct Known {
        var layouts: [ObjectIdentifier: [UnsafePointer<WatchedLayout>]] = [:]
        /// The last number.
        var last: UInt16 = 0
    }

    private static let known = Lock(Known())
}

/// What shows that a state is the last captured one: the bytes of a part's properties as they were then, or a small state itself.
// 15 bytes in this order, so that most parts are in the allocator's blocks of 64.
struct StateWatch: ~Copyable {
    // Without a layout, the bytes of the state.
    private var copy = granary_copy()
    /// The number of the layout; 0 if the properties are not known.
    private let number: UInt16
    /// Whether the copy has been made.
    private var isKept = false

    init() { number = 0 }

    /// Creates a watch of the properties of a layout.
    init(layout number: UInt16) {
        self.number = number
        guard isLarge else { return }
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: textOffset + textCount * MemoryLayout<String?>.stride,
            alignment: MemoryLayout<String?>.alignment)
        copy = granary_large_copy(block)
        texts?.initialize(repeating: nil, count: textCount)
    }

    deinit {
        guard let block else { return }
        texts?.deinitialize(count: textCount)
        block.deallocate()
    }

    /// Whether the properties are known.
    var hasLayout: Bool { number > 0 }

    private var layout: UnsafePointer<WatchedLayout>? {
        granary_layout_at(number)?.pointee.details?.assumingMemoryBound(to: WatchedLayout.self)
    }

    private var isLarge: Bool { granary_layout_at(number)?.pointee.is_large ?? false }

    /// The copy if it is a block of memory of its own.
    private var block: UnsafeMutableRawPointer? { isLarge ? granary_copy_block(copy) : nil }

    private var textOffset: Int { layout?.pointee.textOffset ?? 0 }

    private var textCount: Int { layout?.pointee.fields?.textCount ?? 0 }

    /// The texts that are retained, at the end of the block.
    private var texts: UnsafeMutablePointer<String?>? {
        block?.advanced(by: textOffset).assumingMemoryBound(to: String?.self)
    }

    /// Returns whether the bytes of an object show that the state is the last captured one.
    @inline(__always)
    func isUnchanged(in object: UnsafeRawPointer) -> Bool {
        hasLayout && isKept && granary_is_unchanged(number, object, copy)
    }

    /// Keeps the bytes of the state that is captured next.
    mutating func keep(_ object: UnsafeRawPointer) {
        guard hasLayout else { return }
        granary_keep_places(number, object, &copy)
        isKept = true
    }

    /// Has the state read next time, whatever the bytes are.
    mutating func forget() { isKept = false }

    /// Whether the state can be written from the properties.
    func hasFields() -> Bool { layout?.pointee.fields != nil }

    /// Appends the state from the properties of an object, and retains its texts, so that equal bytes prove an equal state.
    func appendFields(of object: UnsafeRawPointer, to json: inout [UInt8]) {
        layout?.pointee.fields?.append(object, retaining: texts, to: &json)
    }
}

// The last state itself, of a part whose properties are not known.
extension StateWatch {
    /// Returns whether the states of a type fit into the copy.
    // Only those without references: a watch of properties then needs no copy of the state that keeps storage from being changed in
    // place.
    static func fits<State>(_ type: State.Type) -> Bool {
        _isPOD(type) && MemoryLayout<State>.size <= MemoryLayout<granary_copy>.size
    }

    /// Keeps a state, unless the properties are known.
    mutating func keep<State>(state: State) {
        guard !hasLayout else { return }
        withUnsafePointer(to: state) { state in
            withUnsafeMutablePointer(to: &copy) {
                UnsafeMutableRawPointer($0).copyMemory(from: state, byteCount: MemoryLayout<State>.size)
            }
        }
        isKept = true
    }

    /// Returns the kept state.
    func state<State>(_ type: State.Type) -> State? {
        guard !hasLayout, isKept else { return nil }
        return withUnsafePointer(to: copy) { UnsafeRawPointer($0).loadUnaligned(as: State.self) }
    }
}
