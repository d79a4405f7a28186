// Writes package.json with the version of the library, which stands in include/graze/base.h alone.
import { readFileSync, writeFileSync } from "node:fs";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const header = read("../../include/graze/base.h");
const part = (name) => header.match(new RegExp(`define GRAZE_VERSION_${name} (\\d+)`))[1];
const version = ["MAJOR", "MINOR", "PATCH"].map(part).join(".");
writeFileSync(new URL("package.json", import.meta.url), read("package.in.json").replace("@version@", version));
