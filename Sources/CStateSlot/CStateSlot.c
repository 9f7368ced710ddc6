#include "CStateSlot.h"

_Thread_local void *granary_state_slot __attribute__((tls_model("initial-exec")));
