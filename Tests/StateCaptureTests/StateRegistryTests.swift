import Testing

import StateCapture
