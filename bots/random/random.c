/* Random bids one, two or three tricks whatever its cards are, and plays any card that it may.
 *
 * It is written in C to show how little a bot needs: read a line, find a few values in it, write a line, flush. Its
 * dice come from the random_seed of the match and the moment of the match, so the same match gives the same play. It
 * answers bids, plays and draws; whatever else it is told it ignores, as the protocol asks of every bot.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Part of a line: the text of one JSON value. It is empty (start is NULL) where there is no such value. */
typedef struct {
    const char *start;
    int length;
} Text;

/* ---------------------------------------------------------------------------------------------- reading JSON text */

static const char *skip_space(const char *p) {
    while (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n') p++;
    return p;
}

static const char *skip_string(const char *p) {
    for (p++; *p && *p != '"'; p++)
        if (*p == '\\' && p[1]) p++;
    return *p ? p + 1 : p;
}

/* Past one value of any kind: what is open must be closed again, and brackets inside strings don't count. */
static const char *skip_value(const char *p) {
    int open = 0;
    do {
        p = skip_space(p);
        if (*p == '"') p = skip_string(p);
        else if (*p == '[' || *p == '{') open++, p++;
        else if (*p == ']' || *p == '}') open--, p++;
        else if (*p == ',' || *p == ':') p++;
        else while (*p && !strchr(",:[]{}\" \t\r\n", *p)) p++;
    } while (open > 0 && *p);
    return p;
}

static int is(Text text, const char *word) {
    return text.start && (size_t)text.length == strlen(word) && !memcmp(text.start, word, strlen(word));
}

/* The value of a key of an object; of doubled keys the last counts. The key is given as it stands, with its quotes. */
static Text member(const char *object, const char *key) {
    Text found = {NULL, 0};
    const char *p = skip_space(object);
    if (*p != '{') return found;
    do {
        Text name;
        name.start = skip_space(p + 1);
        if (*name.start != '"') break;
        p = skip_string(name.start);
        name.length = (int)(p - name.start);
        p = skip_space(p);
        if (*p != ':') break;
        const char *value = skip_space(p + 1);
        p = skip_value(value);
        if (is(name, key)) found.start = value, found.length = (int)(p - value);
        p = skip_space(p);
    } while (*p == ',');
    return found;
}

/* Walks through an array: for (p = inside(array); next(&p, &element);) */
static const char *inside(Text array) {
    return array.start && *array.start == '[' ? array.start + 1 : "";
}

static int next(const char **p, Text *element) {
    element->start = skip_space(*p);
    if (*element->start == ',') element->start = skip_space(element->start + 1);
    if (*element->start == ']') return 0;
    *p = skip_value(element->start);
    element->length = (int)(*p - element->start);
    return element->length > 0;
}

static int count(Text array) {
    int number = 0;
    Text element;
    for (const char *p = inside(array); next(&p, &element);) number++;
    return number;
}

/* The element of an array by its number, from 0. */
static Text pick(Text array, int number) {
    Text element, none = {NULL, 0};
    for (const char *p = inside(array); next(&p, &element);)
        if (number-- == 0) return element;
    return none;
}

static int number_of(Text text) {
    return text.start ? atoi(text.start) : 0;
}

/* ----------------------------------------------------------------------------------------------------------- dice */

static uint64_t dice;

static void stir(Text text) { /* FNV-1a */
    for (int i = 0; i < text.length; i++) dice = (dice ^ (unsigned char)text.start[i]) * UINT64_C(1099511628211);
}

/* What has been done in the hand, which tells requests of one type apart: tricks, or cards drawn. */
static Text so_far(const char *request) {
    return member(request, is(member(request, "\"type\""), "\"draw\"") ? "\"hand\"" : "\"tricks\"");
}

static void set_dice(const char *random_seed, const char *request) {
    Text seed = {random_seed, (int)strlen(random_seed)};
    dice = UINT64_C(14695981039346656037);
    stir(seed);
    stir(member(request, "\"type\""));
    stir(member(request, "\"hand_no\""));
    dice += (uint64_t)count(so_far(request));
}

static int roll(int sides) { /* splitmix64 */
    dice += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t mixed = (dice ^ dice >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return (int)((mixed ^ mixed >> 31) % (uint64_t)sides);
}

/* --------------------------------------------------------------------------------------------------------- playing */

static Text any(Text legal) {
    int choices = count(legal);
    return pick(legal, choices ? roll(choices) : 0);
}

/* Two is twice as likely as one or three; where the rules forbid the number, any legal bid. */
static Text small_bid(Text legal) {
    static const char *const numbers[] = {"1", "2", "2", "3"};
    const char *wanted = numbers[roll(4)];
    Text bid;
    for (const char *p = inside(legal); next(&p, &bid);)
        if (is(bid, wanted)) return bid;
    return any(legal);
}

static void answer(const char *request, const char *key, Text value) {
    Text id = member(request, "\"id\"");
    if (id.start && value.start) printf("{\"id\":%.*s,\"%s\":%.*s}\n", id.length, id.start, key, value.length, value.start);
}

static void hello(const char *message) {
    Text range = member(message, "\"protocol\"");
    if (number_of(pick(range, 0)) <= 1 && number_of(pick(range, 1)) >= 1)
        puts("{\"type\":\"hello\",\"protocol\":1,\"name\":\"random\",\"version\":\"1\",\"answers\":[\"draw\"]}");
    else
        puts("{\"type\":\"error\",\"message\":\"random speaks protocol 1\"}");
}

static void take(const char *message) {
    static char random_seed[128];
    static const Text ready = {"true", 4};
    Text type = member(message, "\"type\""), legal = member(message, "\"legal\"");
    if (is(type, "\"hello\"")) hello(message);
    if (is(type, "\"match_start\"")) {
        Text seed = member(message, "\"random_seed\"");
        snprintf(random_seed, sizeof random_seed, "%.*s", seed.length, seed.start ? seed.start : "");
        answer(message, "ready", ready);
    }
    set_dice(random_seed, message);
    if (is(type, "\"bid\"")) answer(message, "bid", small_bid(legal));
    if (is(type, "\"play\"")) answer(message, "card", any(legal));
    if (is(type, "\"draw\"")) answer(message, "draw", any(legal));
    fflush(stdout); /* without this the answer stays in a buffer, and the harness waits in vain */
}

/* One line of any length, without its end; NULL when the input ends. */
static char *read_line(void) {
    static char *line = NULL;
    static size_t room = 0;
    size_t length = 0;
    for (int c = getchar(); c != '\n'; c = getchar()) {
        if (c == EOF) return NULL;
        if (length + 2 > room) {
            room = room ? 2 * room : 4096;
            line = realloc(line, room);
            if (!line) exit(1);
        }
        line[length++] = (char)c;
    }
    if (!line) return "";
    line[length] = '\0';
    return line;
}

int main(void) {
    for (char *line = read_line(); line; line = read_line()) take(line);
    return 0;
}
