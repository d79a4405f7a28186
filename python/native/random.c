/* Expat salts its hashes by arc4random_buf, which glibc has since 2.36: a wheel that asked for it would not load on
   older systems. getrandom is there since 2.25. */
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

void arc4random_buf(void *bytes, size_t count);

void arc4random_buf(void *bytes, size_t count) {
    for (size_t done = 0; done < count;) {
        ssize_t got = getrandom((char *)bytes + done, count - done, 0);
        if (got < 0 && errno != EINTR) return; /* where the kernel refuses, the salt is a weak one */
        if (got > 0) done += (size_t)got;
    }
}
