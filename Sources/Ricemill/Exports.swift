// A machine or store conforms to `Resumable` to act after it was restored.
@_exported public import struct StateCapture.InterruptedWork
@_exported public import protocol StateCapture.Resumable
