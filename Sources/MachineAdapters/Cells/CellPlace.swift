import Log
import MachineHost

/// Where a cell belongs, and what it can reach from there.
struct CellPlace {
    let index: Int
    let board: OutputBoard
    /// The machine's output, for cells that have to look at it again; nil where it is a value and never changes.
    let object: AnyObject?
    /// The machine's output.
    let output: Any
    let name: String
    let log: Log
}
