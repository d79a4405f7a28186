/* Ground: a surface of heights, walls along its border, a flat floor. */
#include "articulated/shapes/shape.h"

#include "base/sizes.h"

#include <string.h>

#define MAP_LEAST GZ_SIZE_UP_TO(graze_height_map, floor)
#define MOST_POINTS ((size_t)1 << 30)

static const graze_height_map flat = {.cell = {1, 1}};

void graze_init_height_map(graze_height_map *map, size_t size) { gz_sized_init(map, size, &flat, sizeof flat); }

static graze_status check(graze_context *context, const graze_height_map *map) {
    if (map->rows < 2 || map->columns < 2 || map->rows > MOST_POINTS / map->columns || !map->heights)
        return gz_shape_refuse(context, "a height map needs at least two rows and columns of heights");
    if (!(map->cell[0] > 0 && map->cell[1] > 0 && gz_is_length(map->cell[0] * (double)map->columns) &&
          gz_is_length(map->cell[1] * (double)map->rows) && gz_is_length(fabs(map->floor))))
        return gz_shape_refuse(context, "the cells or the floor of the height map are out of range");
    for (size_t i = 0; i < map->rows * map->columns; i++)
        if (!(map->heights[i] > map->floor && map->heights[i] <= GRAZE_MAX_COORDINATE))
            return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, i, "height %zu is not above the floor", i);
    return GRAZE_OK;
}

/* The i-th point of the border, counterclockwise seen from above. */
static uint32_t border(const graze_height_map *map, size_t i) {
    size_t right = map->columns - 1, up = map->rows - 1;
    if (i < right) return (uint32_t)i;
    i -= right;
    if (i < up) return (uint32_t)(i * map->columns + right);
    i -= up;
    if (i < right) return (uint32_t)(up * map->columns + right - i);
    return (uint32_t)((up - (i - right)) * map->columns);
}

static uint32_t (*put_surface(const graze_height_map *map, uint32_t (*face)[3]))[3] {
    for (size_t row = 0; row + 1 < map->rows; row++)
        for (size_t column = 0; column + 1 < map->columns; column++) {
            uint32_t first = (uint32_t)(row * map->columns + column), above = first + (uint32_t)map->columns;
            const uint32_t two[2][3] = {{first, first + 1, above + 1}, {first, above + 1, above}};
            memcpy(face, two, sizeof two);
            face += 2;
        }
    return face;
}

/* Two triangles of the wall and one of the floor for each side of the border. */
static void put_below(const graze_height_map *map, size_t around, gz_shape_mesh *mesh, uint32_t (*face)[3]) {
    uint32_t first = (uint32_t)(map->rows * map->columns), middle = first + (uint32_t)around;
    for (uint32_t i = 0; i < around; i++) {
        uint32_t top = border(map, i), next = border(map, (i + 1) % around), low = first + i,
                 low_next = first + (i + 1) % (uint32_t)around;
        const uint32_t three[3][3] = {{top, low, low_next}, {top, low_next, next}, {middle, low_next, low}};
        memcpy(face, three, sizeof three);
        face += 3;
        memcpy(mesh->vertices[low], mesh->vertices[top], sizeof *mesh->vertices);
        mesh->vertices[low][2] = map->floor;
    }
    const double *last = mesh->vertices[first - 1];
    memcpy(mesh->vertices[middle], (double[3]){0.5 * last[0], 0.5 * last[1], map->floor}, sizeof *mesh->vertices);
}

static void put_points(const graze_height_map *map, gz_shape_mesh *mesh) {
    for (size_t i = 0; i < map->rows * map->columns; i++) {
        mesh->vertices[i][0] = map->cell[0] * (double)(i % map->columns);
        mesh->vertices[i][1] = map->cell[1] * (double)(i / map->columns);
        mesh->vertices[i][2] = map->heights[i];
    }
}

static graze_status make_height_map(graze_context *context, const void *given, graze_shape *shape) {
    graze_height_map map = graze_default_height_map();
    if (!given) return gz_shape_refuse(context, "there is no height map");
    graze_status status = gz_sized_read(context, "height map", &map, sizeof map, MAP_LEAST, given);
    if (status == GRAZE_OK) status = check(context, &map);
    if (status != GRAZE_OK) return status;
    size_t points = map.rows * map.columns, around = 2 * (map.rows + map.columns) - 4;
    size_t cells = (map.rows - 1) * (map.columns - 1);
    gz_shape_mesh mesh;
    status = gz_shape_reserve(context, points + around + 1, 2 * cells + 3 * around, shape, &mesh);
    if (status != GRAZE_OK) return status;
    put_points(&map, &mesh);
    put_below(&map, around, &mesh, put_surface(&map, mesh.faces));
    return GRAZE_OK;
}

graze_status graze_shape_height_map(graze_context *context, const graze_height_map *map, double radius,
                                    graze_shape *shape) {
    return gz_shape_make(context, radius, make_height_map, map, shape);
}
