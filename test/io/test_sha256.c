/* SHA-256 against the vectors of FIPS 180-4 and sha256sum's own, whole and in pieces; canonical bytes against bytes. */
#include "check.h"

#include "io/sha256.h"

static void expect_hash(const char *bytes, size_t size, const char *wanted) {
    for (size_t piece = 1; piece <= size + 1; piece += piece < 130 ? 1 : 997) {
        io_sha256 hash;
        char text[IO_SHA256_TEXT];
        io_sha256_begin(&hash);
        for (size_t at = 0; at < size; at += piece)
            io_sha256_bytes(&hash, bytes + at, size - at < piece ? size - at : piece);
        io_sha256_end(&hash, text);
        CHECK_MSG(strcmp(text, wanted) == 0, "%zu bytes in pieces of %zu: %s", size, piece, text);
    }
}

TEST(hashes_of_the_standard_are_right) {
    const char *two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    expect_hash("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect_hash("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect_hash(two_blocks, strlen(two_blocks), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    static char many[1000000];
    memset(many, 'a', sizeof many);
    io_sha256 hash;
    char text[IO_SHA256_TEXT];
    io_sha256_begin(&hash);
    io_sha256_bytes(&hash, many, sizeof many);
    io_sha256_end(&hash, text);
    CHECK(strcmp(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0") == 0);
}

/* Lengths around every edge of the padding, against the program of the system. */
TEST(every_length_around_a_block_has_the_hash_of_sha256sum) {
    if (system("command -v sha256sum >/dev/null 2>&1") != 0) {
        test_skip("no sha256sum");
        return;
    }
    char bytes[200];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)('a' + i % 23);
    for (size_t size = 50; size < 135; size++) {
        char command[400], wanted[IO_SHA256_TEXT] = "";
        snprintf(command, sizeof command, "printf %%s '%.*s' | sha256sum", (int)size, bytes);
        FILE *pipe = popen(command, "r");
        CHECK(pipe && fscanf(pipe, "%64s", wanted) == 1);
        if (pipe) pclose(pipe);
        expect_hash(bytes, size, wanted);
    }
}

TEST(canonical_bytes_are_little_endian) {
    io_sha256 hash;
    char text[IO_SHA256_TEXT], wanted[IO_SHA256_TEXT];
    io_sha256_begin(&hash);
    io_sha256_text(&hash, "vf");
    io_sha256_count(&hash, 0x0102030405060708);
    io_sha256_indices(&hash, (const uint32_t[]){0x0a0b0c0d}, 1);
    io_sha256_doubles(&hash, (const double[]){1, -0.0}, 2);
    io_sha256_end(&hash, text);
    static const char bytes[] =
        "vf\0\x08\x07\x06\x05\x04\x03\x02\x01\x0d\x0c\x0b\x0a\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\x80";
    io_sha256_begin(&hash);
    io_sha256_bytes(&hash, bytes, sizeof bytes - 1);
    io_sha256_end(&hash, wanted);
    CHECK_MSG(strcmp(text, wanted) == 0, "%s, not %s", text, wanted);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
