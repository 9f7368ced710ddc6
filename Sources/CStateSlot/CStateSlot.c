#include "CStateSlot.h"

_Thread_local void *granary_state_slot __attribute__((tls_model("initial-exec")));
_Thread_local int64_t granary_clock_slot __attribute__((tls_model("initial-exec")));
int granary_wiring_count;
