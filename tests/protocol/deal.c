/* The deal after protocol/DEALS.md, written anew in C, hash included, so that a test can hold two against each other.
 *
 * deal SECRET STREAM HAND      prints the permutation of 0 ... 51 and, on a second line, how many words were rejected
 * deal SECRET STREAM HAND NAME the same with another label: second or partners
 * deal SECRET STREAM HAND disguise        prints, for leg 1 to 5, what clubs, diamonds and hearts become
 * deal SECRET STREAM HAND disguised LEG   prints the permutation with the plain suits as in that leg
 * deal SECRET commitment       prints the commitment
 * deal SECRET salt SALT        prints the salted secret
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------ SHA-256 (FIPS 180-4) */

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void compress(uint32_t state[8], const uint8_t *block) {
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t choose = (s[4] & s[5]) ^ (~s[4] & s[6]), major = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        uint32_t t1 = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + choose + K[i] + w[i];
        uint32_t t2 = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + major;
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

static void sha256(const uint8_t *data, size_t length, uint8_t digest[32]) {
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint8_t padded[1024] = {0};
    size_t blocks = (length + 9 + 63) / 64;
    memcpy(padded, data, length);
    padded[length] = 0x80;
    for (int i = 0; i < 8; i++) padded[64 * blocks - 1 - i] = (uint8_t)((uint64_t)length * 8 >> 8 * i);
    for (size_t i = 0; i < blocks; i++) compress(state, padded + 64 * i);
    for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}

/* ------------------------------------------------------------------------------------------------------- the deal */

static size_t append64(uint8_t *to, uint64_t number) {
    for (int i = 0; i < 8; i++) to[i] = (uint8_t)(number >> (56 - 8 * i));
    return 8;
}

static uint8_t key[32];
static uint64_t next_word;
static int rejected;

static uint32_t word(void) {
    static uint8_t block[32];
    uint8_t message[40];
    if (next_word % 8 == 0) {
        memcpy(message, key, 32);
        append64(message + 32, next_word / 8);
        sha256(message, sizeof message, block);
    }
    const uint8_t *at = block + 4 * (next_word++ % 8);
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static uint32_t below(uint32_t bound) {
    uint64_t all = (uint64_t)1 << 32, limit = all - all % bound;
    for (;;) {
        uint32_t drawn = word();
        if (drawn < limit) return drawn % bound;
        rejected++;
    }
}

static void shuffle(const char *name, const uint8_t secret[32], uint64_t stream, uint64_t hand, int order[], int size) {
    uint8_t message[128];
    size_t length = (size_t)sprintf((char *)message, "spades-harness/%.20s/1", name) + 1; /* its zero byte belongs to it */
    memcpy(message + length, secret, 32);
    length += 32;
    length += append64(message + length, stream);
    length += append64(message + length, hand);
    sha256(message, length, key);
    next_word = 0, rejected = 0;
    for (int i = 0; i < size; i++) order[i] = i;
    for (int last = size - 1; last > 0; last--) {
        int chosen = (int)below((uint32_t)last + 1), kept = order[last];
        order[last] = order[chosen];
        order[chosen] = kept;
    }
}

static const char WAYS[5][4] = {"CHD", "DCH", "DHC", "HCD", "HDC"}, SUITS[] = "CDH";

static int disguised(int card, const char *way) {
    return card / 13 == 3 ? card : 13 * (int)(strchr(SUITS, way[card / 13]) - SUITS) + card % 13;
}

static void print_hex(const uint8_t digest[32]) {
    for (int i = 0; i < 32; i++) printf("%02x", digest[i]);
    puts("");
}

/* HMAC of RFC 2104 with SHA-256, whose blocks have 64 bytes; the key is shorter than that. */
static void print_salted(const uint8_t secret[32], const char *salt) {
    static const char label[] = "spades-harness/salt/1";
    uint8_t message[64 + sizeof label + 800], digest[32];
    size_t length = strlen(salt);
    if (length > 800) exit(2);
    for (int i = 0; i < 64; i++) message[i] = (uint8_t)((i < 32 ? secret[i] : 0) ^ 0x36);
    memcpy(message + 64, label, sizeof label);
    memcpy(message + 64 + sizeof label, salt, length);
    sha256(message, 64 + sizeof label + length, digest);
    for (int i = 0; i < 64; i++) message[i] = (uint8_t)((i < 32 ? secret[i] : 0) ^ 0x5c);
    memcpy(message + 64, digest, 32);
    sha256(message, 96, digest);
    print_hex(digest);
}

static void print_commitment(const uint8_t secret[32]) {
    static const char label[] = "spades-harness/commitment/1";
    uint8_t message[sizeof label + 32], digest[32];
    memcpy(message, label, sizeof label);
    memcpy(message + sizeof label, secret, 32);
    sha256(message, sizeof message, digest);
    print_hex(digest);
}

int main(int argc, char **argv) {
    uint8_t secret[32];
    int order[52];
    if (argc < 3 || strlen(argv[1]) != 64) return 2;
    for (int i = 0; i < 32; i++) {
        char pair[3] = {argv[1][2 * i], argv[1][2 * i + 1], 0};
        secret[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    if (argc == 3) {
        print_commitment(secret);
        return 0;
    }
    if (strcmp(argv[2], "salt") == 0) {
        print_salted(secret, argv[3]);
        return 0;
    }
    uint64_t stream = strtoull(argv[2], NULL, 10), hand = strtoull(argv[3], NULL, 10);
    const char *what = argc > 4 ? argv[4] : "deal", *way = "CDH";
    if (strncmp(what, "disguise", 8) == 0) {
        int ways[5];
        shuffle("disguise", secret, stream, hand, ways, 5);
        if (argc == 5) {
            for (int i = 0; i < 5; i++) printf(i < 4 ? "%s " : "%s\n", WAYS[ways[i]]);
            return 0;
        }
        way = WAYS[ways[atoi(argv[5]) - 1]];
        what = "deal";
    }
    shuffle(what, secret, stream, hand, order, 52);
    for (int i = 0; i < 52; i++) printf(i < 51 ? "%d " : "%d\n", disguised(order[i], way));
    printf("%d\n", rejected);
    return 0;
}
