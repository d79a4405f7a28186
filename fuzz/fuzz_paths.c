/* Any bytes as angles and as the proof that a swinging rod stays clear of a plate: none is accepted where they touch.
 */
#include "verify/path_reader.h"
#include "verify/verify.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINK(parent, joint, position, vertices)                                                                        \
    "{\"parent\":" parent ",\"joint\":\"" joint "\",\"position\":" position                                            \
    ",\"rotation\":[1,0,0,0],\"axis\":[0,0,1],"                                                                        \
    "\"padding\":0.01,\"vertices\":" vertices ",\"faces\":[[0,1,2],[1,2,3]]}"
#define HEAD                                                                                                           \
    "{\"format\":\"graze path certificate 1\",\"separation\":0.01,\"t_max\":1,\"models\":[{\"links\":[" LINK(          \
        "-1", "revolute", "[0,0,0]",                                                                                   \
        "[[0.1,0,-0.1],[0.1,0,0.1],[1,0,-0.1],[1,0,0.1]]") "]},{\"links\":[" LINK("-1", "fixed", "[-0.8,0,0]",         \
                                                                                  "[[-0.5,0,-0.2],[-0.5,0,0.2],[0,0,-" \
                                                                                  "0.2],[0,0,0.2]]") "]}],\"skip\":[]" \
                                                                                                     ",\"paths\":["

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static double angle_of(const uint8_t *bytes) {
    uint32_t bits;
    memcpy(&bits, bytes, sizeof bits);
    return ldexp((double)(int32_t)bits, -29); /* within 4 of 0 */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static graze_context *context;
    if (size < 8 || size > 4000) return 0;
    if (!context && graze_context_create(NULL, &context) != GRAZE_OK) abort();
    char *text = malloc(size + 3000);
    if (!text) abort();
    int used = sprintf(text,
                       HEAD "{\"motions\":[{\"from\":[%.17g],\"to\":[%.17g]},{\"from\":[],\"to\":[]}],\"pairs\":["
                            "{\"links\":[0,1],\"proof\":\"",
                       angle_of(data), angle_of(data + 4));
    memcpy(text + used, data + 8, size - 8);
    strcpy(text + used + size - 8, "\"}]}]}");
    verify_path_report report;
    char message[VERIFY_TEXT];
    bool read = verify_path_text(text, (size_t)used + size - 8 + 6, 1, 0x1p20, &report, message);
    if (!read && !message[0]) abort();
    if (read && report.rejected == 0 && path_reader_finds_contact(context, text)) {
        fprintf(stderr, "accepted, but links touch:\n%s\n", text);
        abort();
    }
    free(text);
    return 0;
}
