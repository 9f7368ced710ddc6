import Log
package import MachineHost

/// The position of a cell, and the objects from which the cell reads.
package struct CellPlace {
    package let index: Int
    package let board: OutputBoard
    /// The machine's output object, for cells that read it again; nil if the output is a value and never changes.
    let object: AnyObject?
    /// The machine's output.
    let output: Any
    let name: String
    let log: Log
}
