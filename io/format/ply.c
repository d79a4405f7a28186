/* PLY: text and both byte orders, any property types, elements and properties that are not asked for. */
#include "io/mesh_builder.h"

#include "io/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum value_type { I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, TYPE_COUNT } value_type;

static const unsigned char type_size[TYPE_COUNT] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

/* Role of a property in a mesh. */
typedef enum role { SKIPPED, X, Y, Z, CORNERS, END_0, END_1 } role;

typedef struct property {
    value_type type, count_type;
    bool is_list;
    role role;
} property;

typedef enum element_kind { OTHER, VERTEX, FACE, EDGE } element_kind;

typedef struct element {
    char name[32];
    element_kind kind;
    uint64_t count;
    size_t first, properties; /* its properties in the header's array */
    io_place place;
} element;

typedef struct header {
    element *elements;
    property *properties;
    size_t element_count, element_capacity, property_count, property_capacity;
    bool text, big_endian;
} header;

/* ---- the header ---- */

static bool type_of(io_scan *scan, value_type *type) {
    static const struct {
        const char *name;
        value_type type;
    } names[] = {
        {"char", I8},   {"uchar", U8},   {"short", I16}, {"ushort", U16},  {"int", I32},    {"uint", U32},
        {"int8", I8},   {"uint8", U8},   {"int16", I16}, {"uint16", U16},  {"int32", I32},  {"uint32", U32},
        {"int64", I64}, {"uint64", U64}, {"float", F32}, {"float32", F32}, {"double", F64}, {"float64", F64},
    };
    io_word word;
    if (!io_scan_word(scan, &word)) return io_scan_fail(scan, "a property without a type");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (io_word_is(word, names[i].name)) {
            *type = names[i].type;
            return true;
        }
    return io_scan_fail(scan, "a property of an unknown type");
}

static role role_of(element_kind kind, io_word name, bool is_list) {
    if (kind == VERTEX)
        return io_word_is(name, "x") ? X : io_word_is(name, "y") ? Y : io_word_is(name, "z") ? Z : SKIPPED;
    if (kind == FACE && is_list)
        return io_word_is(name, "vertex_indices") || io_word_is(name, "vertex_index") ? CORNERS : SKIPPED;
    if (kind == EDGE) return io_word_is(name, "vertex1") ? END_0 : io_word_is(name, "vertex2") ? END_1 : SKIPPED;
    return SKIPPED;
}

static bool read_property(io_scan *scan, io_builder *builder, header *head) {
    if (head->element_count == 0) return io_scan_fail(scan, "a property before the first element");
    element *owner = &head->elements[head->element_count - 1];
    property made = {0};
    io_word word;
    const char *start = scan->at;
    made.is_list = io_scan_word(scan, &word) && io_word_is(word, "list");
    if (!made.is_list) scan->at = start;
    if (made.is_list && !type_of(scan, &made.count_type)) return false;
    if (made.count_type >= F32) return io_scan_fail(scan, "a list whose length is a floating-point number");
    if (!type_of(scan, &made.type)) return false;
    if (!io_scan_word(scan, &word)) return io_scan_fail(scan, "a property without a name");
    made.role = role_of(owner->kind, word, made.is_list);
    if (made.role != SKIPPED && made.role != CORNERS && made.is_list)
        return io_scan_fail(scan, "property %.*s is a list", (int)word.length, word.text);
    for (size_t i = 0; made.role != SKIPPED && i < owner->properties; i++)
        if (head->properties[owner->first + i].role == made.role)
            return io_scan_fail(scan, "property %.*s occurs twice", (int)word.length, word.text);
    if (!io_build_grow(builder, (void **)&head->properties, &head->property_capacity, head->property_count,
                       sizeof made))
        return false;
    head->properties[head->property_count++] = made;
    owner->properties++;
    return true;
}

static bool read_element(io_scan *scan, io_builder *builder, header *head) {
    element made = {.first = head->property_count, .place = io_scan_place(scan)};
    io_word word;
    int64_t count;
    if (!io_scan_word(scan, &word)) return io_scan_fail(scan, "an element without a name");
    if (!io_scan_integer(scan, "the number of elements", &count)) return false;
    if (count < 0) return io_scan_fail(scan, "a negative number of elements");
    made.count = (uint64_t)count;
    made.kind = io_word_is(word, "vertex") ? VERTEX
                : io_word_is(word, "face") ? FACE
                : io_word_is(word, "edge") ? EDGE
                                           : OTHER;
    size_t length = word.length < sizeof made.name - 1 ? word.length : sizeof made.name - 1;
    for (size_t i = 0; i < length; i++) made.name[i] = word.text[i] >= ' ' && word.text[i] <= '~' ? word.text[i] : '?';
    for (size_t i = 0; made.kind != OTHER && i < head->element_count; i++)
        if (head->elements[i].kind == made.kind) return io_scan_fail(scan, "element %s occurs twice", made.name);
    if (!io_build_grow(builder, (void **)&head->elements, &head->element_capacity, head->element_count, sizeof made))
        return false;
    head->elements[head->element_count++] = made;
    return true;
}

/* "comment up z": the axis that points up, as graze's own scenes say it. Other comments are skipped. */
static bool is_comment(io_scan *scan, io_word word, io_mesh *mesh) {
    if (io_word_is(word, "obj_info")) return true;
    if (!io_word_is(word, "comment")) return false;
    if (io_scan_word(scan, &word) && io_word_is(word, "up") && io_scan_word(scan, &word))
        mesh->up = io_word_is(word, "z") ? 'z' : io_word_is(word, "y") ? 'y' : mesh->up;
    return true;
}

static bool read_format(io_scan *scan, io_mesh *mesh, header *head) {
    io_word word;
    if (!io_scan_line(scan) || !io_scan_word(scan, &word) || !io_word_is(word, "ply"))
        return io_scan_fail(scan, "not a PLY file: it does not begin with ply");
    while (io_scan_filled_line(scan, 0)) {
        io_scan_word(scan, &word);
        if (is_comment(scan, word, mesh)) continue;
        if (!io_word_is(word, "format")) break;
        if (!io_scan_word(scan, &word)) break;
        head->text = io_word_is(word, "ascii");
        head->big_endian = io_word_is(word, "binary_big_endian");
        if (head->text || head->big_endian || io_word_is(word, "binary_little_endian")) return true;
        return io_scan_fail(scan, "format %.*s is unknown", (int)(word.length < 40 ? word.length : 40), word.text);
    }
    return io_scan_fail(scan, "the header does not say its format");
}

static bool read_header(io_scan *scan, io_builder *builder, header *head) {
    if (!read_format(scan, builder->mesh, head)) return false;
    for (;;) {
        if (!io_scan_filled_line(scan, 0)) return io_scan_fail(scan, "the file is cut off within the header");
        io_word word;
        io_scan_word(scan, &word);
        if (io_word_is(word, "end_header")) break;
        if (is_comment(scan, word, builder->mesh)) continue;
        if (io_word_is(word, "element")) {
            if (!read_element(scan, builder, head)) return false;
        } else if (io_word_is(word, "property")) {
            if (!read_property(scan, builder, head)) return false;
        } else {
            return io_scan_fail(scan, "expected element, property or end_header");
        }
    }
    return true;
}

static bool has_role(const header *head, const element *e, role wanted) {
    for (size_t i = 0; i < e->properties; i++)
        if (head->properties[e->first + i].role == wanted) return true;
    return false;
}

/* The properties that a mesh needs are there, and no count claims more than the file can hold. */
static bool check_header(io_scan *scan, const header *head) {
    uint64_t left = (uint64_t)(scan->end - scan->stop);
    for (size_t i = 0; i < head->element_count; i++) {
        const element *e = &head->elements[i];
        if (e->kind == VERTEX && !(has_role(head, e, X) && has_role(head, e, Y) && has_role(head, e, Z)))
            return io_scan_fail_at(scan, e->place, "the vertices lack a property x, y or z");
        if (e->kind == FACE && e->count > 0 && !has_role(head, e, CORNERS))
            return io_scan_fail_at(scan, e->place, "the faces lack a list vertex_indices");
        if (e->kind == EDGE && e->count > 0 && !(has_role(head, e, END_0) && has_role(head, e, END_1)))
            return io_scan_fail_at(scan, e->place, "the edges lack vertex1 or vertex2");
        uint64_t least = 0; /* bytes of one element */
        for (size_t k = 0; k < e->properties; k++) {
            const property *p = &head->properties[e->first + k];
            least += head->text ? 2 : type_size[p->is_list ? p->count_type : p->type];
        }
        if (least && e->count > left / least)
            return io_scan_fail_at(scan, e->place,
                                   "%llu elements %s claimed, but the file has room for at most %llu (cut off?)",
                                   (unsigned long long)e->count, e->name, (unsigned long long)(left / least));
    }
    return true;
}

/* ---- the data ---- */

static bool read_value(io_scan *scan, value_type type, const char *what, double *x) {
    if (!scan->binary) return io_scan_number(scan, what, x);
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
        float f32;
        double f64;
    } value;
    if (!io_scan_value(scan, what, &value, type_size[type])) return false;
    switch (type) {
    case I8: *x = value.i8; break;
    case U8: *x = value.u8; break;
    case I16: *x = value.i16; break;
    case U16: *x = value.u16; break;
    case I32: *x = value.i32; break;
    case U32: *x = value.u32; break;
    case I64: *x = (double)value.i64; break;
    case U64: *x = (double)value.u64; break;
    case F32: *x = (double)value.f32; break;
    default: *x = value.f64; break;
    }
    return true;
}

static bool to_integer(io_scan *scan, double x, const char *what, int64_t *value) {
    if (!(fabs(x) <= 0x1p53) || x != floor(x)) return io_scan_fail(scan, "%s is %g, which is not an integer", what, x);
    *value = (int64_t)x;
    return true;
}

static bool read_list(io_scan *scan, io_builder *builder, const property *p) {
    double x;
    int64_t length, index = 0;
    if (!read_value(scan, p->count_type, "the length of a list", &x) ||
        !to_integer(scan, x, "the length of a list", &length))
        return false;
    if (length < 0) return io_scan_fail(scan, "a list of negative length");
    size_t each = scan->binary ? type_size[p->type] : 2;
    if (!io_scan_has_room(scan, (uint64_t)length, each, "list items")) return false;
    if (p->role != CORNERS && scan->binary) {
        scan->at += (size_t)length * each;
        return true;
    }
    for (int64_t i = 0; i < length; i++) {
        if (!read_value(scan, p->type, p->role == CORNERS ? "a vertex index" : "a list item", &x)) return false;
        if (p->role == CORNERS && !(to_integer(scan, x, "a vertex index", &index) && io_build_corner(builder, index)))
            return false;
    }
    return p->role != CORNERS || io_build_face(builder);
}

static bool read_one(io_scan *scan, io_builder *builder, const header *head, const element *e) {
    double x[3] = {0}, value;
    int64_t ends[2] = {0};
    for (size_t i = 0; i < e->properties; i++) {
        const property *p = &head->properties[e->first + i];
        if (p->is_list) {
            if (!read_list(scan, builder, p)) return false;
            continue;
        }
        if (!read_value(scan, p->type,
                        p->role == SKIPPED ? "a property"
                        : p->role <= Z     ? "a coordinate"
                                           : "a vertex index",
                        &value))
            return false;
        if (p->role >= X && p->role <= Z) x[p->role - X] = value;
        if (p->role >= END_0 && !to_integer(scan, value, "a vertex index", &ends[p->role - END_0])) return false;
    }
    if (e->kind == VERTEX) return io_build_vertex(builder, x);
    return e->kind != EDGE || io_build_edge(builder, ends[0], ends[1]);
}

static bool read_elements(io_scan *scan, io_builder *builder, const header *head, const element *e) {
    if (e->properties == 0) return true;
    for (uint64_t i = 0; i < e->count; i++) {
        if (head->text && !io_scan_filled_line(scan, 0))
            return io_scan_fail(scan, "the file is cut off: element %s %llu of %llu is missing", e->name,
                                (unsigned long long)i + 1, (unsigned long long)e->count);
        if (!read_one(scan, builder, head, e)) return false;
        if (head->text && !io_scan_at_stop(scan))
            return io_scan_fail(scan, "element %s %llu: more values than the header has properties", e->name,
                                (unsigned long long)i + 1);
    }
    return true;
}

bool io_read_ply(io_scan *scan, io_builder *builder) {
    header head = {0};
    bool good = read_header(scan, builder, &head) && check_header(scan, &head);
    if (good && !head.text) {
        const uint16_t one = 1;
        unsigned char low;
        memcpy(&low, &one, 1);
        scan->swap = head.big_endian == (low == 1);
        io_scan_end_line(scan); /* of end_header */
        scan->stop = scan->end;
        scan->binary = true;
    }
    for (size_t i = 0; good && i < head.element_count; i++)
        good = read_elements(scan, builder, &head, &head.elements[i]);
    free(head.elements);
    free(head.properties);
    return good;
}

/* ---- writing ---- */

static void put_little(FILE *stream, uint64_t bits, int bytes) {
    for (int i = 0; i < bytes; i++) putc((int)(bits >> 8 * i & 0xff), stream);
}

static void print_ply(FILE *stream, const char *comment, const double (*positions)[3], size_t vertex_count,
                      const uint32_t (*faces)[3], size_t face_count, const uint32_t (*edges)[2], size_t edge_count) {
    fprintf(stream,
            "ply\nformat binary_little_endian 1.0\n%selement vertex %zu\nproperty double x\nproperty double y\n"
            "property double z\nelement face %zu\nproperty list uchar int vertex_indices\n",
            comment, vertex_count, face_count);
    if (edge_count) fprintf(stream, "element edge %zu\nproperty int vertex1\nproperty int vertex2\n", edge_count);
    fputs("end_header\n", stream);
    for (size_t i = 0; i < vertex_count; i++)
        for (int c = 0; c < 3; c++) {
            uint64_t bits;
            memcpy(&bits, &positions[i][c], sizeof bits);
            put_little(stream, bits, 8);
        }
    for (size_t i = 0; i < face_count; i++) {
        putc(3, stream);
        for (int k = 0; k < 3; k++) put_little(stream, faces[i][k], 4);
    }
    for (size_t i = 0; i < edge_count; i++)
        for (int k = 0; k < 2; k++) put_little(stream, edges[i][k], 4);
}

void io_print_ply(FILE *stream, const double (*positions)[3], size_t vertex_count, const uint32_t (*faces)[3],
                  size_t face_count, const uint32_t (*edges)[2], size_t edge_count) {
    print_ply(stream, "", positions, vertex_count, faces, face_count, edges, edge_count);
}

bool io_write_ply(const char *path, const double (*positions)[3], size_t vertex_count, const uint32_t (*faces)[3],
                  size_t face_count, io_error *error) {
    io_output file;
    if (!io_open_output(path, &file, error)) return false;
    print_ply(file.stream, "comment up z\n", positions, vertex_count, faces, face_count, NULL, 0);
    return io_close_output(&file, error);
}
