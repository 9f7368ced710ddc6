#include "CLinux.h"

#include <string.h>

// The remainders of four bits, for processors without an instruction.
static const uint32_t remainders[16] = {
    0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
    0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
};

uint32_t granary_portable_crc32c(uint32_t checksum, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    checksum = ~checksum;
    while (count--) {
        checksum ^= *next++;
        checksum = checksum >> 4 ^ remainders[checksum & 15];
        checksum = checksum >> 4 ^ remainders[checksum & 15];
    }
    return ~checksum;
}

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) static uint32_t fast_crc32c(uint32_t checksum, const uint8_t *next, size_t count) {
    uint64_t sum = ~checksum;
    for (; count >= 8; next += 8, count -= 8) {
        uint64_t word;
        memcpy(&word, next, 8);
        sum = __builtin_ia32_crc32di(sum, word);
    }
    while (count--) sum = __builtin_ia32_crc32qi((uint32_t)sum, *next++);
    return ~(uint32_t)sum;
}

static bool is_fast(void) { return __builtin_cpu_supports("sse4.2"); }

#elif defined(__ARM_FEATURE_CRC32)

static uint32_t fast_crc32c(uint32_t checksum, const uint8_t *next, size_t count) {
    checksum = ~checksum;
    for (; count >= 8; next += 8, count -= 8) {
        uint64_t word;
        memcpy(&word, next, 8);
        checksum = __builtin_arm_crc32cd(checksum, word);
    }
    while (count--) checksum = __builtin_arm_crc32cb(checksum, *next++);
    return ~checksum;
}

static bool is_fast(void) { return true; }

#else

static uint32_t fast_crc32c(uint32_t checksum, const uint8_t *next, size_t count) {
    return granary_portable_crc32c(checksum, next, count);
}

static bool is_fast(void) { return false; }

#endif

uint32_t granary_crc32c(uint32_t checksum, const void *bytes, size_t count) {
    return is_fast() ? fast_crc32c(checksum, bytes, count) : granary_portable_crc32c(checksum, bytes, count);
}
