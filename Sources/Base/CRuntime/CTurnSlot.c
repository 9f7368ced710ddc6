#include "CTurnSlot.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

_Thread_local struct granary_turn *granary_turn_slot __attribute__((tls_model("initial-exec")));

/// What a trap, an invalid access, or `abort` sends.
static const int trap_signals[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGSYS};
#define TRAP_SIGNALS ((int)(sizeof trap_signals / sizeof *trap_signals))

/// What the process did with the signals before, such as printing a backtrace.
static struct sigaction former[TRAP_SIGNALS];

void granary_flag_current_turn(void) {
    struct granary_turn *turn = granary_turn_slot;
    if (turn) __atomic_store_n(&turn->state, GRANARY_TURN_TRAPPED, __ATOMIC_RELAXED);
}

static void handle_trap(int number, siginfo_t *info, void *context) {
    (void)context;
    // A positive code is the processor's own fault report. `abort` sends its signal to its thread; a signal that somebody else
    // sends says nothing about the turn on the thread that happens to receive it.
    int is_own = info->si_code > 0 || (info->si_code == SI_TKILL && info->si_pid == getpid());
    if (is_own) granary_flag_current_turn();
    for (int i = 0; i < TRAP_SIGNALS; i++) {
        if (trap_signals[i] == number) sigaction(number, &former[i], NULL);
    }
    // After the handler, a faulting instruction runs again and meets the former action. A signal that was sent must be sent again.
    if (info->si_code <= 0) raise(number);
}

void granary_watch_traps(void) {
    static int is_watching = 0;
    if (__atomic_exchange_n(&is_watching, 1, __ATOMIC_ACQ_REL)) return;
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    action.sa_sigaction = handle_trap;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < TRAP_SIGNALS; i++) sigaction(trap_signals[i], &action, &former[i]);
}

void granary_make_signal_stack(void) {
    enum { size = 64 << 10 };
    stack_t current;
    if (sigaltstack(NULL, &current) != 0 || !(current.ss_flags & SS_DISABLE)) return;
    // Never freed: loops live as long as the process.
    void *memory = malloc(size);
    if (!memory) return;
    stack_t stack = {.ss_sp = memory, .ss_size = size};
    sigaltstack(&stack, NULL);
}
