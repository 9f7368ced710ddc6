public import MachineHost
import RicemillAdapter

extension MachineDefinition {
    /// Returns the board that all visitors share.
    ///
    /// | inputs | outputs |
    /// | --- | --- |
    /// | `paint` `{"field":3,"color":"red"}` | `fields`: the colors of sixteen fields |
    /// | `introduce` `"Ada"`: the name of the visitor | `visitors`, `visitorCount`: who has the page open |
    ///
    /// - Throws: `MachineRegistrationError` if it cannot be hosted. The tests of the demos rule this out.
    public static func board() throws(MachineRegistrationError) -> MachineDefinition {
        try .ricemill("board", summary: "A board that all visitors see and paint, and who is there.") { context in
            BoardViewModel(input: .init(), store: .init(), extra: .init(context))
        }
    }
}
