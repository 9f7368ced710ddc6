// What a machine or store needs that conforms to `Resumable`: it acts after it was restored, and migrates older states.
@_exported public import struct StateCapture.InterruptedWork
@_exported public import protocol StateCapture.Resumable
@_exported public import typealias StateCapture.StateMigration
@_exported public import enum StateCapture.StateValue
@_exported public import struct StateCapture.StoredState
