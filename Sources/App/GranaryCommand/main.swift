import Granary
import MachineHost

await serve(
    name: "granary", version: GranaryVersion.current, page: .demo, defaults: .demo, settings: DemoSettings(),
    keys: DemoSettings.keys, commands: [.new, .dev]
) { _, settings in
    try MachineDefinition.demos(settings)
}
