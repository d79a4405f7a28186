/* Any bytes as a certificate: none is accepted that a second reader and exact truth do not confirm. */
#include "verify/second_reader.h"
#include "verify/verify.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text) abort();
    memcpy(text, data, size);
    text[size] = '\0';
    verify_report report;
    char message[VERIFY_TEXT], why[200];
    bool read = verify_text(text, size, 1, NULL, &report, message);
    if (!read && !message[0]) abort();
    if (read && report.rejected == 0 && !second_reader_confirms(text, size, why)) {
        fprintf(stderr, "accepted, but: %s\n", why);
        abort();
    }
    free(text);
    return 0;
}
