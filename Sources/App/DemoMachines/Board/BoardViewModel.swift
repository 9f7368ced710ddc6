public import CombineCore
public import MachineHost
public import Ricemill

/// A board of sixteen fields that all visitors see and paint, with the names of those who are there.
///
/// Each field is a topic with a current value, so that two visitors who paint different fields at the same time do not undo each other's
/// strokes. A field shows a stroke when it arrives from the topic, for its painter, too: everyone sees the strokes in the same order.
public final class BoardViewModel: Machine<BoardViewModel> {
    /// The outputs are the properties of the store.
    public typealias Output = Store

    /// What a visitor does.
    public struct Input: InputType {
        /// Paints a field. A field that does not exist has no effect.
        public let paint = PassthroughSubject<Stroke, Never>()
        /// States the name of the visitor, of which the first 24 code points are shown.
        public let introduce = PassthroughSubject<String, Never>()

        /// Creates the subjects.
        public init() {}
    }

    /// The values that the view shows.
    public final class Store: StoredOutputType {
        /// The colors of the fields, row by row.
        @Published public var fields = Array(repeating: FieldColor.white, count: 16)
        /// The names of the visitors who are there, in the order in which they came.
        @Published public var visitors: [String] = []
        /// The number of visitors who are there, which may be greater than that of their names.
        @Published public var visitorCount = 0

        /// Creates a store with a white board.
        public init() {}
    }

    /// The topics by which the boards of all sessions communicate.
    public struct Extra: ExtraType {
        let fields: [Topic<FieldColor>]
        let visitors: Presence<String>

        /// Uses the topics of a session, which is that of an unnamed visitor at first.
        public init(_ context: SessionContext) {
            fields = (0..<16).map { context.topic("board.\($0)", of: FieldColor.self, delivering: .latest) }
            visitors = context.presence(in: "board", of: String.self)
            visitors.enter("Somebody")
        }
    }

    /// Returns the part of a name that all others see.
    // Not of its characters: each may have any number of combining marks, and take the room of all names.
    private static func shown(_ name: String) -> String {
        let shown = name.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        return String(String.UnicodeScalarView(shown.prefix(24)))
    }

    /// Connects the inputs to the topics, and the topics to the store.
    public static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        var cancellables: [AnyCancellable] = []
        input.paint
            .filter { extra.fields.indices.contains($0.field) }
            .sink { stroke in
                // After a restart of the server, the topics know nothing, and the first painter brings the rest of the board back.
                for (field, color) in zip(extra.fields, store.fields) where color != .white { field.offer(color) }
                extra.fields[stroke.field].send(stroke.color)
            }
            .store(in: &cancellables)
        input.introduce
            .map { name in BoardViewModel.shown(name) }
            .filter { name in !name.isEmpty }
            .sink { name in extra.visitors.enter(name) }
            .store(in: &cancellables)
        for (index, field) in extra.fields.enumerated() {
            field
                .map { color in
                    var fields = store.fields
                    fields[index] = color
                    return fields
                }
                .assign(to: \.fields, on: store)
                .store(in: &cancellables)
        }
        extra.visitors
            .map { list in list.members }
            .assign(to: \.visitors, on: store)
            .store(in: &cancellables)
        extra.visitors
            .map { list in list.count }
            .assign(to: \.visitorCount, on: store)
            .store(in: &cancellables)
        return Polished(cancellables: cancellables)
    }
}
