/// graze: continuous collision detection that never misses a contact.
///
/// Included by every other header: version, status, verdict, and the context, which carries allocator, threads, log and
/// limits.
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

/// Stack that a call needs, callbacks excluded: 64 KiB with a context. Without one it is this many bytes, since exact
/// arithmetic then keeps its integers on the stack.
#define GRAZE_STACK_WITHOUT_CONTEXT 196608

/// Structs that begin with `struct_size` may grow at their end in later versions. Each of them has
///
///     graze_default_NAME()                returns one with its size and defaults set: always begin with it
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

/// Arrays and results that a call writes must not overlap arrays that it reads (GRAZE_ERR_INVALID_ARGUMENT). Arrays of
/// equal stride may be interleaved, like the fields of an array of structs. Inputs may overlap each other.

/// Did the call work? What the geometry does is a graze_verdict.
typedef enum graze_status {
    GRAZE_OK = 0,
    GRAZE_ERR_INVALID_ARGUMENT, ///< a NULL pointer, an unknown enum value, an option outside its range
    GRAZE_ERR_NOT_FINITE,       ///< NaN or infinity among the coordinates
    GRAZE_ERR_OUT_OF_RANGE,     ///< a coordinate beyond GRAZE_MAX_COORDINATE
    GRAZE_ERR_BAD_INDEX,        ///< a mesh index that names no vertex, edge or face
    GRAZE_ERR_OUT_OF_MEMORY,    ///< the context's allocator gave nothing, or its limit was reached
    GRAZE_ERR_UNSUPPORTED,      ///< a method, kind or back end that this build lacks
    GRAZE_ERR_FP_ENVIRONMENT,   ///< floating-point modes that cannot be set to IEEE defaults, or a build without IEEE
                                ///< arithmetic
    GRAZE_ERR_CALLBACK,         ///< a user's callback returned a value outside its documented range
    GRAZE_ERR_BUSY,             ///< the context is in use by another thread
    GRAZE_ERR_DEVICE,           ///< a GPU call failed
    GRAZE_ERR_CANCELLED,        ///< the cancel callback or the deadline ended a call whose result has no verdict
} graze_status;

/// Proven outcome. A zeroed result reads UNRESOLVED with toi 0, so a caller who ignores the status stays put.
typedef enum graze_verdict {
    GRAZE_UNRESOLVED = 0, ///< neither is proven; `toi` is still a safe lower bound
    GRAZE_CLEAR,          ///< proven: no contact in [0, t_max]
    GRAZE_HIT,            ///< a contact, proven or within the tolerance; none before `toi`
} graze_verdict;

/// Why a verdict is GRAZE_UNRESOLVED.
typedef enum graze_reason {
    GRAZE_REASON_NONE = 0,
    GRAZE_REASON_BUDGET,    ///< max_checks ran out
    GRAZE_REASON_MEMORY,    ///< the memory allowed to the call ran out
    GRAZE_REASON_CANCELLED, ///< the cancel callback or the deadline
    GRAZE_REASON_PRECISION, ///< rounding leaves it open; mode VERTICES: a pair may touch at t = 0
    GRAZE_REASON_STOPPED,   ///< mode VERTICES: one vertex must stop before the others, or all stop at a contact
} graze_reason;

/// Instruction sets. The answer does not depend on the choice, bit for bit.
typedef enum graze_isa {
    GRAZE_ISA_AUTO = 0, ///< the best that this machine has; the environment variable GRAZE_ISA overrides it
    GRAZE_ISA_SCALAR,
    GRAZE_ISA_AVX2,
    GRAZE_ISA_AVX512,
    GRAZE_ISA_NEON,
    GRAZE_ISA_WASM, ///< SIMD of WebAssembly, where the build has it
} graze_isa;

/// Back end that runs whole steps and batches of queries. Answers are bit-identical on all of them.
///
/// GRAZE_BACKEND_CUDA is a separate library, libgraze_cuda.so, loaded at run time from the folder of libgraze.so (or of
/// the program that contains it), from the system's search path, or from the path in the environment variable
/// GRAZE_CUDA_LIBRARY. When it is asked for by name, it answers, or the call returns GRAZE_ERR_UNSUPPORTED (no library,
/// no device, an option that it lacks) or GRAZE_ERR_DEVICE (the device failed). The last error has the reason.
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

/// Returns nonzero to end the call early; unfinished work is GRAZE_UNRESOLVED. Called from time to time, by several
/// threads at once.
typedef int graze_cancel(void *user);

/// Options of a context. Begin with graze_default_context_options(), then change what you need.
typedef struct graze_context_options {
    size_t struct_size;
    graze_allocator allocator;        ///< default: the C library
    graze_parallel_for *parallel_for; ///< default: graze_pool_for; OpenMP where that was built in
    void *parallel_user;
    uint32_t threads; ///< pieces that parallel work is cut into; 0: graze_pool_threads()
    graze_isa isa;
    graze_log *log; ///< default NULL: silent. It gets choices and fallbacks, at debug level
    void *log_user;
    graze_cancel *cancel; ///< default NULL
    void *cancel_user;
    double deadline_seconds; ///< wall time allowed to each call; 0: no limit
    size_t memory_limit;     ///< bytes a context may hold at once; 80 KiB a thread are always allowed; 0: no limit
    graze_backend backend;   ///< for batches, and for steps that leave it to the context
    int32_t device;          ///< number of the GPU; default −1: the one current in the thread that opens it
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

/// Returns kept buffers to the allocator and closes an open GPU, which the next call that needs it opens again. While a
/// call is under way (in a callback, or in another thread) it does nothing and returns GRAZE_ERR_BUSY.
GRAZE_API graze_status graze_context_trim(graze_context *context);

/// @param stats  from graze_default_stats()
GRAZE_API graze_status graze_context_stats(const graze_context *context, graze_stats *stats);
GRAZE_API void graze_context_reset_stats(graze_context *context);
/// Gives the error of the last call. GRAZE_ERR_BUSY while one is under way; `error` says so too.
GRAZE_API graze_status graze_context_last_error(const graze_context *context, graze_error *error);
GRAZE_API uint32_t graze_context_threads(const graze_context *context);
GRAZE_API graze_isa graze_context_isa(const graze_context *context);

/// The default parallel-for of contexts; programs may use it for their own loops. The process has one pool of threads,
/// which starts on first use and sleeps when idle. Several threads may use it at once, and loops may nest. After a fork
/// the child has its own pool. `user` is not read. Without thread support it is a serial loop. GRAZE_NUM_THREADS, else
/// OMP_NUM_THREADS, limits the threads of a loop, its caller included. It is read at the first use of the pool.
GRAZE_API void graze_pool_for(void *user, size_t count, graze_task *task, void *state);
/// Number of threads in the pool: GRAZE_NUM_THREADS, else OMP_NUM_THREADS, else the cores that the process may use.
GRAZE_API uint32_t graze_pool_threads(void);

/// "0.3.0"
GRAZE_API const char *graze_version(void);
GRAZE_API const char *graze_status_name(graze_status status);    ///< "not finite", …
GRAZE_API const char *graze_verdict_name(graze_verdict verdict); ///< "clear", "hit", "unresolved"
GRAZE_API const char *graze_reason_name(graze_reason reason);
GRAZE_API const char *graze_isa_name(graze_isa isa); ///< "scalar", "avx2", "avx512", "neon", "wasm"

/// Instruction set of calls without a context: the best one, or the one that GRAZE_ISA names.
GRAZE_API graze_isa graze_isa_in_use(void);
/// True if this build has code for `isa` and this machine can run it.
GRAZE_API int graze_isa_available(graze_isa isa);

#ifdef __cplusplus
}
#endif
#endif
