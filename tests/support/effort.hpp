// How much a test may do: sanitizers and builds for debugging are ten and more times slower.
#pragma once

namespace grundy::support {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define GRUNDY_TESTS_ARE_SLOW
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    defined(_GLIBCXX_ASSERTIONS) || !defined(__OPTIMIZE__)
#define GRUNDY_TESTS_ARE_SLOW
#endif

#ifdef GRUNDY_TESTS_ARE_SLOW
inline constexpr bool kSlowBuild = true;
#else
inline constexpr bool kSlowBuild = false;
#endif

/// How many of `count` random cases to try in this build.
constexpr int cases(int count) { return kSlowBuild ? (count + 7) / 8 : count; }

}  // namespace grundy::support
