/* A CUDA driver without a GPU, for tests. Copies happen only when their stream is synchronised, and host memory that waits for a
   copy is filled with 0xA5. Addresses of device memory are in pages that the processor can neither read nor write. So a program
   that reads results too early, or reuses memory too early, or accesses device memory, computes wrong values or is ended.

   With INIT_FAILS defined, cuInit fails. With NO_SYNCHRONIZE defined, cuStreamSynchronize is missing. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { COPIES = 256 };

enum { INVALID_VALUE = 1, NO_DEVICE = 100, LAUNCH_FAILED = 719 };

typedef struct {
    int to_device;
    unsigned char *host;
    uint64_t device;
    size_t bytes;
} Copy;

/* A stream with its own device memory, of which `shadow` holds the contents. */
typedef struct {
    Copy queue[COPIES];
    int queued;
    unsigned char *device, *shadow;
    size_t bytes, used;
    int successes; /* calls that succeed before calls fail; negative: no call fails */
} Stream;

int cuInit(unsigned flags) {
#ifdef INIT_FAILS
    return NO_DEVICE;
#endif
    return flags ? INVALID_VALUE : 0;
}

int cuGetErrorString(int error, const char **text) {
    *text = error == INVALID_VALUE ? "invalid argument" : error == NO_DEVICE ? "no CUDA-capable device is detected" : NULL;
    return *text ? 0 : INVALID_VALUE;
}

static int fails(Stream *stream) {
    if (stream->successes < 0) return 0;
    if (stream->successes == 0) return 1;
    stream->successes--;
    return 0;
}

static int add(Stream *stream, Copy copy) {
    uint64_t first = (uint64_t)stream->device;
    if (copy.bytes == 0 || copy.device < first || copy.device + copy.bytes > first + stream->used) return INVALID_VALUE;
    if (stream->queued == COPIES) return INVALID_VALUE;
    stream->queue[stream->queued++] = copy;
    return 0;
}

int cuMemcpyDtoHAsync_v2(void *host, uint64_t device, size_t bytes, Stream *stream) {
    if (fails(stream)) return LAUNCH_FAILED;
    int error = add(stream, (Copy){0, host, device, bytes});
    if (!error) memset(host, 0xA5, bytes);
    return error;
}

int cuMemcpyHtoDAsync_v2(uint64_t device, const void *host, size_t bytes, Stream *stream) {
    if (fails(stream)) return LAUNCH_FAILED;
    return add(stream, (Copy){1, (unsigned char *)host, device, bytes});
}

static void run(Stream *stream) {
    for (int i = 0; i < stream->queued; i++) {
        Copy *copy = &stream->queue[i];
        unsigned char *shadow = stream->shadow + (copy->device - (uint64_t)stream->device);
        memcpy(copy->to_device ? shadow : copy->host, copy->to_device ? copy->host : shadow, copy->bytes);
    }
    stream->queued = 0;
}

#ifndef NO_SYNCHRONIZE
int cuStreamSynchronize(Stream *stream) {
    if (fails(stream)) return LAUNCH_FAILED;
    run(stream);
    return 0;
}
#endif

/* Functions for tests. */

Stream *fake_stream(size_t bytes) {
    Stream *stream = calloc(1, sizeof(Stream));
    stream->device = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stream->shadow = calloc(1, bytes);
    stream->bytes = bytes;
    stream->successes = -1;
    return stream;
}

void fake_free(Stream *stream) {
    munmap(stream->device, stream->bytes);
    free(stream->shadow);
    free(stream);
}

/* Copies an array to new device memory, and returns its address. */
uint64_t fake_upload(Stream *stream, const void *from, size_t bytes) {
    size_t start = stream->used;
    if (start + bytes > stream->bytes) abort();
    stream->used = start + ((bytes + 255) & ~(size_t)255);
    memcpy(stream->shadow + start, from, bytes);
    return (uint64_t)stream->device + start;
}

void fake_download(Stream *stream, uint64_t from, void *to, size_t bytes) {
    memcpy(to, stream->shadow + (from - (uint64_t)stream->device), bytes);
}

/* Lets calls fail after so many successes; negative: none. */
void fake_fail(Stream *stream, int successes) { stream->successes = successes; }

/* Runs the pending copies, as a GPU does at any time before the stream is synchronised. Returns their number. */
int fake_run(Stream *stream) {
    int queued = stream->queued;
    run(stream);
    return queued;
}
