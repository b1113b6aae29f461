/* Basic types. Included after the sizes of a program (CARDS, PLAYERS, ...). */
#if defined(__TINYC__) && !defined(_WIN32) /* TinyCC comes without system headers */
typedef int int32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef __SIZE_TYPE__ size_t;
typedef struct { int64_t room[64]; } jmp_buf[1];
#define INT32_MAX 0x7fffffff
#define INT64_MAX 0x7fffffffffffffffLL
#define INT64_MIN (-INT64_MAX - 1)
#define offsetof(type, field) ((size_t)&((type *)0)->field)
int _setjmp(jmp_buf);
void longjmp(jmp_buf, int);
#define setjmp _setjmp
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
#else
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#endif

#if defined(_WIN32)
#define OPEN __declspec(dllexport) /* exported function */
#else
#define OPEN __attribute__((visibility("default")))
#endif
#ifdef __TINYC__
#define COLD
#else
#define COLD __attribute__((noreturn, cold, noinline))
#endif

typedef int64_t i64;
typedef uint64_t u64;

#define NO_NUMBER (-((i64)1 << 62))
#define UNLIMITED ((i64)1 << 62)
#define LARGEST_NUMBER ((i64)1 << 61)
#define MOST_MOVES 100000
#define MOST_ASKED 10000
#define ARENA (1 << 20)
#define FEW 8 /* initial capacity of a list */
#define LEGAL 4096 /* maximum number of legal moves in a state */
#define DEEPEST 200 /* maximum depth of recursion */
#define NONE (-1)
#define NO_ROOM (-2) /* argument of `fail` if no rule is the cause */
#define TOO_LARGE (-3)
#define TOO_MANY (-4)
#define BROKEN (-5) /* an expectation of the rules is wrong */

/* List. `cap`: capacity; 0 for a view of another list. */
typedef struct { i64 *v; int32_t n, cap; } L;
typedef struct { i64 n, v[LONGEST]; } Pile;
typedef struct { i64 size, x[SLOTS]; Pile l[LISTS]; } Frame;

#ifdef SPLITS
#define KNOWN_SPLITS (1 << 18) /* above the limit for one hand, so that a slot is always free */
struct Meld;
typedef struct { i64 turn, free, least, left; const struct Meld *meld; } Known;
#endif

/* State of a match. It contains no pointers except `w`, which is set on each entry to C. */
typedef struct Work Work;
typedef struct {
    Work *w;
    i64 t[TRACKS], loc[CARDS], owner[CARDS], known[CARDS], out, who, fuel, checking, depth, choices;
    u64 rng;
    Pile order, alive, picks, z[ZONES];
    Frame frames[MAX_FRAMES];
    i64 legal[LEGAL];
} S;

#define FEW_READ 8 /* maximum size of a hand in the cache of readings */
#define READ_BITS 16 /* log2 of the slots for keys of readings; half of them are used */
typedef struct {
    u64 key;
    short rank, shown[FEW_READ];
    unsigned char whole, n, groups, runs, wild, used[FEW_READ], ends[FEW_READ];
} KnownReading;
#define MATCHED_BITS 14 /* log2 of the cached results for each ranking */

/* Scratch memory of a thread. Nothing in it belongs to a match. */
struct Work {
    jmp_buf at_fault, at_finish;
    const i64 *finished;
    i64 fault, taken, deep; /* fault: number of a place in the rules */
#ifdef SPLITS
    i64 splits_made;
    Known known_splits[KNOWN_SPLITS];
#endif
    S opened; /* state before the first random event, made by the first match */
    i64 opened_at;  /* the next block, or NONE if the match ends before the first random draw */
    i64 opened_for; /* 1 if expectations of the rules were not checked, 2 if they were */
    u64 matched[RANKINGS][1 << MATCHED_BITS]; /* bit 0: whether classes of cards make a rank; above: key */
    i64 known_readings[RANKINGS];
    unsigned short place_of_reading[RANKINGS][1 << READ_BITS]; /* 0: none; stored together to use fewer memory pages */
    KnownReading readings[RANKINGS][1 << (READ_BITS - 1)];
    i64 strengths[RANKINGS][1 << (READ_BITS - 1)][STRENGTH]; /* of readings, if no line of `ties` is a condition */
    i64 arena[ARENA];
};
