/// graze: continuous collision detection that never misses a contact.
///
/// Basis of every other header: version, status, verdict, and the context that carries allocator, threads,
/// log and limits.
#ifndef GRAZE_BASE_H
#define GRAZE_BASE_H

#include <stddef.h>
#include <stdint.h>

/* The build reads the version from these three lines; it is written nowhere else. */
#define GRAZE_VERSION_MAJOR 0
#define GRAZE_VERSION_MINOR 3
#define GRAZE_VERSION_PATCH 0

#if defined(_WIN32)
#if defined(GRAZE_BUILDING_SHARED)
#define GRAZE_API __declspec(dllexport)
#elif defined(GRAZE_USING_SHARED)
#define GRAZE_API __declspec(dllimport)
#else
#define GRAZE_API
#endif
#else
#define GRAZE_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// Largest |coordinate| that the floating-point methods accept: 2^160. The exact oracle takes every finite double.
#define GRAZE_MAX_COORDINATE 1461501637330902918203684832716283019655932542976.0

/// Stack that a call needs, callbacks not counted: 64 KiB with a context, this many bytes without one, where exact
/// arithmetic has its integers on the stack.
#define GRAZE_STACK_WITHOUT_CONTEXT 196608

/// Structs with a `struct_size` first may grow at their end in later versions. For each there is
///
///     graze_default_NAME()                returns one with its size and its defaults set: begin with it, always
///     graze_init_NAME(&value, sizeof …)   the same for languages that do not compile this header
///
/// A program may run with a library older or newer than its headers. Option fields unknown to either side take their
/// defaults. A field that is set but unknown to the library is GRAZE_ERR_INVALID_ARGUMENT. The library writes at most
/// struct_size bytes of a result. A struct_size that is too small (0 in a struct that was never filled) is
/// GRAZE_ERR_INVALID_ARGUMENT, and nothing is written.
///
/// Other structs do not change within a SONAME: rows of large arrays (graze_query, graze_pair, graze_pair_result,
/// graze_stencil, graze_distance_result, graze_certificate_entry) and parts of other structs (graze_frame).
#define GRAZE_DEFAULTS(type, default_name, init_name)                                                                  \
    GRAZE_API void init_name(type *value, size_t size);                                                                \
    static inline type default_name(void) {                                                                            \
        type value;                                                                                                    \
        init_name(&value, sizeof value);                                                                               \
        return value;                                                                                                  \
    }

/// Arrays and results that a call writes may not share memory with arrays that it reads: GRAZE_ERR_INVALID_ARGUMENT.
/// Arrays of one stride may lie between each other, as the fields of an array of structs do. Inputs may share memory.

/// Did the call work? What the geometry does is a graze_verdict.
typedef enum graze_status {
    GRAZE_OK = 0,
    GRAZE_ERR_INVALID_ARGUMENT, ///< a NULL pointer, an unknown enum value, an option outside its range
    GRAZE_ERR_NOT_FINITE,       ///< NaN or infinity among the coordinates
    GRAZE_ERR_OUT_OF_RANGE,     ///< a coordinate beyond GRAZE_MAX_COORDINATE
    GRAZE_ERR_BAD_INDEX,        ///< a mesh index that names no vertex, edge or face
    GRAZE_ERR_OUT_OF_MEMORY,    ///< the context's allocator gave nothing, or its limit was reached
    GRAZE_ERR_UNSUPPORTED,      ///< a method, kind or back end that this build does not have
    GRAZE_ERR_FP_ENVIRONMENT,   ///< modes that could not be set to IEEE defaults, or a build whose arithmetic is not
                                ///< IEEE's
    GRAZE_ERR_CALLBACK,         ///< a user's callback returned a value outside its documented range
    GRAZE_ERR_BUSY,             ///< the context is in use by another thread
    GRAZE_ERR_DEVICE,           ///< a GPU call failed
    GRAZE_ERR_CANCELLED,        ///< the cancel callback or the deadline ended a call whose result has no verdict
} graze_status;

/// Proven outcome. A zeroed result reads UNRESOLVED with toi 0, so a caller who ignores the status stays put.
typedef enum graze_verdict {
    GRAZE_UNRESOLVED = 0, ///< neither proven; `toi` is still a safe lower bound
    GRAZE_CLEAR,          ///< proven: no contact in [0, t_max]
    GRAZE_HIT,            ///< a contact, proven or within the tolerance; none before `toi`
} graze_verdict;

/// Why a verdict is GRAZE_UNRESOLVED.
typedef enum graze_reason {
    GRAZE_REASON_NONE = 0,
    GRAZE_REASON_BUDGET,    ///< max_checks ran out
    GRAZE_REASON_MEMORY,    ///< the memory that the call may use ran out
    GRAZE_REASON_CANCELLED, ///< the cancel callback or the deadline
    GRAZE_REASON_PRECISION, ///< the method cannot see closer: rounding, or planes that part more than the pair touches
    GRAZE_REASON_STOPPED,   ///< mode VERTICES: a vertex has to stop before the others, or all of them at a contact
} graze_reason;

/// Instruction sets. The answer does not depend on the choice, bit for bit.
typedef enum graze_isa {
    GRAZE_ISA_AUTO = 0, ///< the best this machine has; the environment variable GRAZE_ISA overrides
    GRAZE_ISA_SCALAR,
    GRAZE_ISA_AVX2,
    GRAZE_ISA_AVX512,
    GRAZE_ISA_NEON,
    GRAZE_ISA_WASM, ///< SIMD of WebAssembly, where the build has it
} graze_isa;

/// Back end that runs whole steps and batches of queries. Answers are bit-identical on all of them.
///
/// GRAZE_BACKEND_CUDA is in a library of its own, libgraze_cuda.so, that is loaded at run time: from beside libgraze.so
/// (or the program that holds it), from where the system looks, or from what the environment variable
/// GRAZE_CUDA_LIBRARY names. Asked for by name it answers, or the call is GRAZE_ERR_UNSUPPORTED (no library, no device,
/// an option that it does not have) or GRAZE_ERR_DEVICE (the device failed) with the reason in the last error.
/// GRAZE_BACKEND_AUTO uses the CPU until this context has spent as long as opening a GPU takes. From then on steps run
/// on the device, and so do batches of 32,768 queries or more if the last one took less time for each query there,
/// upload included. If the device fails, the CPU does the whole call again.
typedef enum graze_backend { GRAZE_BACKEND_AUTO = 0, GRAZE_BACKEND_CPU, GRAZE_BACKEND_CUDA } graze_backend;

/// Memory. `allocate` returns at least `size` bytes aligned to `alignment` (a power of two), or NULL;
/// `release` gets the same size back. Both may be called by several threads at once.
typedef struct graze_allocator {
    void *(*allocate)(void *user, size_t size, size_t alignment);
    void (*release)(void *user, void *block, size_t size);
    void *user;
} graze_allocator;

/// One piece of parallel work.
typedef void graze_task(void *state, size_t index);

/// Runs task(state, i) once for every i in [0, count), in any order, on any threads, and returns when all are done.
/// The tasks of one call never wait for each other, so a serial loop is a valid implementation.
typedef void graze_parallel_for(void *user, size_t count, graze_task *task, void *state);

/// Severity of a log line.
typedef enum graze_log_level { GRAZE_LOG_DEBUG = 0, GRAZE_LOG_INFO, GRAZE_LOG_WARNING } graze_log_level;

/// Receives one line without a newline. May be called by several threads at once.
typedef void graze_log(void *user, graze_log_level level, const char *line);

/// Returns nonzero to end the call early; what is not done by then is GRAZE_UNRESOLVED. Called now and then, by
/// several threads at once.
typedef int graze_cancel(void *user);

/// Options of a context. Fill it by graze_default_context_options(), then change what you need.
typedef struct graze_context_options {
    size_t struct_size;
    graze_allocator allocator;        ///< default: the C library
    graze_parallel_for *parallel_for; ///< default: graze_pool_for; OpenMP where that was built in
    void *parallel_user;
    uint32_t threads; ///< pieces that parallel work is cut into; 0: graze_pool_threads()
    graze_isa isa;
    graze_log *log; ///< default NULL: silent. choices and fallbacks, at debug level
    void *log_user;
    graze_cancel *cancel; ///< default NULL
    void *cancel_user;
    double deadline_seconds; ///< wall time allowed to each call; 0: no limit
    size_t memory_limit;     ///< bytes that a context may hold at once, 80 KiB for each thread always; 0: no limit
    graze_backend backend;   ///< for batches, and for steps that leave it to the context
    int32_t device; ///< which one, counted from 0; default −1: the one that is current in the thread that opens it
} graze_context_options;

/// Carries allocator, threads, log and limits, and keeps buffers from call to call.
/// One call at a time: a second thread gets GRAZE_ERR_BUSY. Use one context for each thread that calls.
typedef struct graze_context graze_context;

/// Counts since the context was made or reset.
typedef struct graze_stats {
    size_t struct_size;
    uint64_t queries;      ///< narrow-phase queries answered
    uint64_t checks;       ///< boxes or probes looked at
    uint64_t splits;       ///< intervals cut in two
    uint64_t oracle_calls; ///< queries that reached exact arithmetic
    uint64_t unresolved;
    uint64_t peak_bytes; ///< most memory held at once
} graze_stats;

/// Error of the last call on a context.
typedef struct graze_error {
    graze_status status;
    uint64_t index;    ///< first bad query, vertex, edge or face, where there is one; else UINT64_MAX
    char message[200]; ///< one line without a newline
} graze_error;

GRAZE_DEFAULTS(graze_context_options, graze_default_context_options, graze_init_context_options)
GRAZE_DEFAULTS(graze_stats, graze_default_stats, graze_init_stats)

/// @param options  NULL for the defaults
/// @param context  set to NULL on any status but GRAZE_OK
GRAZE_API graze_status graze_context_create(const graze_context_options *options, graze_context **context);

/// NULL is fine. No call may be under way.
GRAZE_API void graze_context_destroy(graze_context *context);

/// Gives the buffers kept for the next call back to the allocator, and closes a device that is open: the next call that
/// asks for one opens it again. GRAZE_ERR_BUSY, and nothing done, while a call is under way: in a callback, or in
/// another thread.
GRAZE_API graze_status graze_context_trim(graze_context *context);

/// @param stats  from graze_default_stats()
GRAZE_API graze_status graze_context_stats(const graze_context *context, graze_stats *stats);
GRAZE_API void graze_context_reset_stats(graze_context *context);
/// Gives the error of the last call. GRAZE_ERR_BUSY while one is under way; `error` says so too.
GRAZE_API graze_status graze_context_last_error(const graze_context *context, graze_error *error);
GRAZE_API uint32_t graze_context_threads(const graze_context *context);
GRAZE_API graze_isa graze_context_isa(const graze_context *context);

/// The parallel-for that contexts have by default, for a program's own loops too: one pool of threads for the process,
/// started when first needed and asleep when there is nothing to do. Several threads may use it at once, and loops
/// inside loops. After a fork the child has a pool of its own. `user` is not read. Where there are no threads it is a
/// loop. GRAZE_NUM_THREADS, else OMP_NUM_THREADS, limits the threads of a loop, its caller's included: it is read when
/// the pool is first used.
GRAZE_API void graze_pool_for(void *user, size_t count, graze_task *task, void *state);
/// Threads of the pool: the environment variable GRAZE_NUM_THREADS, else OMP_NUM_THREADS, else the number of cores that
/// the process may use.
GRAZE_API uint32_t graze_pool_threads(void);

/// "0.3.0"
GRAZE_API const char *graze_version(void);
GRAZE_API const char *graze_status_name(graze_status status);    ///< "not finite", …
GRAZE_API const char *graze_verdict_name(graze_verdict verdict); ///< "clear", "hit", "unresolved"
GRAZE_API const char *graze_reason_name(graze_reason reason);
GRAZE_API const char *graze_isa_name(graze_isa isa); ///< "scalar", "avx2", "avx512", "neon", "wasm"

/// The instruction set that calls without a context use: the best one, or what GRAZE_ISA names.
GRAZE_API graze_isa graze_isa_in_use(void);
/// True if this build has code for `isa` and this machine can run it.
GRAZE_API int graze_isa_available(graze_isa isa);

#ifdef __cplusplus
}
#endif
#endif
