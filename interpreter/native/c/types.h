/* What everything is made of. Included after the sizes of a program (CARDS, PLAYERS, ...). */
#if defined(__TINYC__) && !defined(_WIN32) /* it comes without the headers of the system */
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
#define OPEN __declspec(dllexport) /* for the caller outside */
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
#define FEW 8 /* so many items has a list room for at first */
#define LEGAL 4096 /* so many moves have room in a state */
#define DEEPEST 200 /* so many functions call each other in a circle */
#define NONE (-1)
#define NO_ROOM (-2) /* what `fail` tells if it is not a rule that is at fault */
#define TOO_LARGE (-3)
#define TOO_MANY (-4)
#define BROKEN (-5) /* something that the rules expect does not hold */

/* cap: how many fit where it lies; 0 for a view of something else. */
typedef struct { i64 *v; int32_t n, cap; } L;
typedef struct { i64 n, v[LONGEST]; } Pile;
typedef struct { i64 size, x[SLOTS]; Pile l[LISTS]; } Frame;

#ifdef SPLITS
#define KNOWN_SPLITS (1 << 18) /* more than are tried for one hand, so that one is always free */
struct Meld;
typedef struct { i64 turn, free, least, left; const struct Meld *meld; } Known;
#endif

/* Where a match stands; all of it lies here, but for `w`, which is set whenever C begins. */
typedef struct Work Work;
typedef struct {
    Work *w;
    i64 t[TRACKS], loc[CARDS], owner[CARDS], known[CARDS], out, who, fuel, checking, depth, choices;
    u64 rng;
    Pile order, alive, picks, z[ZONES];
    Frame frames[MAX_FRAMES];
    i64 legal[LEGAL];
} S;

#define FEW_READ 8 /* hands of so many cards are known again */
#define READ_BITS 16 /* so many places are there for the keys of readings, 2 to the power of it; half of them are used */
typedef struct {
    u64 key;
    short rank, shown[FEW_READ];
    unsigned char whole, n, groups, runs, wild, used[FEW_READ], ends[FEW_READ];
} KnownReading;
#define MATCHED_BITS 14 /* so many answers are remembered for each ranking, 2 to the power of it */

/* What is needed while C runs, and nothing of which is kept: one for each thread. */
struct Work {
    jmp_buf at_fault, at_finish;
    const i64 *finished;
    i64 fault, taken, deep; /* fault: the number of the place in the rules */
#ifdef SPLITS
    i64 splits_made;
    Known known_splits[KNOWN_SPLITS];
#endif
    S opened; /* where every match stands before chance comes in; the first match makes it */
    i64 opened_for; /* 1 if what rules expect was not looked at, 2 if it was */
    u64 matched[RANKINGS][1 << MATCHED_BITS]; /* whether cards of some classes make a rank; their key is above that bit */
    i64 known_readings[RANKINGS];
    unsigned short place_of_reading[RANKINGS][1 << READ_BITS]; /* 0: none; they lie together, which fewer pages hold */
    KnownReading readings[RANKINGS][1 << (READ_BITS - 1)];
    i64 strengths[RANKINGS][1 << (READ_BITS - 1)][STRENGTH]; /* of these, where no line of `ties` is judged */
    i64 arena[ARENA];
};
