// For machines and stores that conform to `Resumable`, which act after a restoration and migrate older states.
@_exported public import struct StateCapture.InterruptedWork
@_exported public import protocol StateCapture.Resumable
@_exported public import typealias StateCapture.StateMigration
@_exported public import enum StateCapture.StateValue
@_exported public import struct StateCapture.StoredState
