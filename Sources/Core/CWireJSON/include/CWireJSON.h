// What Swift lacks: comparing 32 bytes to a bit mask, with SSE2 (on every x86_64) or NEON (on every
// arm64), and a lookup table that does not compile to a jump.
#ifndef C_WIRE_JSON_H
#define C_WIRE_JSON_H

#include <stdint.h>

/// 10 to the power of 0...8; 1 for more.
static inline int64_t wire_json_power_of_ten(uint64_t exponent) {
  static const int64_t powers[16] = {
      1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1, 1, 1, 1, 1, 1, 1};
  return powers[exponent & 15];
}

#if defined(__SSE2__)
#include <emmintrin.h>

static inline uint32_t wire_json_special16(__m128i text) {
  __m128i quote = _mm_cmpeq_epi8(text, _mm_set1_epi8('"'));
  __m128i backslash = _mm_cmpeq_epi8(text, _mm_set1_epi8('\\'));
  // As signed bytes, control characters and non-ASCII bytes are less than a space.
  __m128i other = _mm_cmplt_epi8(text, _mm_set1_epi8(' '));
  return (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), other));
}

/// Bit n is set if byte n of 32 is a quote, a backslash, a control character or not ASCII.
static inline uint32_t wire_json_special32(const uint8_t *text) {
  return wire_json_special16(_mm_loadu_si128((const __m128i *)text)) |
         wire_json_special16(_mm_loadu_si128((const __m128i *)(text + 16))) << 16;
}

#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>

static inline uint8x16_t wire_json_special16(uint8x16_t text) {
  uint8x16_t quote = vceqq_u8(text, vdupq_n_u8('"'));
  uint8x16_t backslash = vceqq_u8(text, vdupq_n_u8('\\'));
  // As signed bytes, control characters and non-ASCII bytes are less than a space.
  uint8x16_t other = vcltq_s8(vreinterpretq_s8_u8(text), vdupq_n_s8(' '));
  return vorrq_u8(vorrq_u8(quote, backslash), other);
}

/// Bit n is set if byte n of 32 is a quote, a backslash, a control character or not ASCII.
static inline uint32_t wire_json_special32(const uint8_t *text) {
  const uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t low = vandq_u8(wire_json_special16(vld1q_u8(text)), bits);
  uint8x16_t high = vandq_u8(wire_json_special16(vld1q_u8(text + 16)), bits);
  uint8x16_t sum = vpaddq_u8(low, high);
  sum = vpaddq_u8(sum, sum);
  sum = vpaddq_u8(sum, sum);
  return vgetq_lane_u32(vreinterpretq_u32_u8(sum), 0);
}
#endif

#endif
