public import MachineHost
