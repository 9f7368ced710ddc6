import Testing

import JournalTesting
