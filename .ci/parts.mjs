// Writes the parts of a release: parts.spdx.json (SPDX 2.3), and NOTICES.txt, the licenses of code inside the viewer.
// usage: node .ci/parts.mjs OUTPUT_FOLDER      after web/build.sh
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const output = process.argv[2];
const read = (path) => readFileSync(join(root, path), "utf8");
const header = read("include/graze/base.h");
const version = ["MAJOR", "MINOR", "PATCH"].map((part) => header.match(new RegExp(`define GRAZE_VERSION_${part} (\\d+)`))[1]).join(".");
const commit = execFileSync("git", ["-C", root, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
const seconds = Number(execFileSync("git", ["-C", root, "log", "-1", "--format=%ct"], { encoding: "utf8" }));

/** Packages whose code is in the viewer: what package.json depends on, and what that depends on. */
const lock = JSON.parse(read("web/package-lock.json")).packages;
function inside(names, seen = new Map()) {
  for (const name of names) {
    const entry = lock[`node_modules/${name}`];
    if (!entry) throw new Error(`web/package-lock.json has no ${name}`);
    if (seen.has(name)) continue;
    seen.set(name, entry);
    inside(Object.keys(entry.dependencies ?? {}), seen);
  }
  return seen;
}
const parts = [...inside(Object.keys(lock[""].dependencies ?? {}))];
const licenseOf = (name) => ["LICENSE", "LICENSE.md", "LICENSE.txt"].map((file) => join(root, "web/node_modules", name, file)).find(existsSync);

writeFileSync(join(output, "NOTICES.txt"), parts.map(([name, { version }]) => {
  const file = licenseOf(name);
  if (!file) throw new Error(`${name} has no license file`);
  return `${name} ${version}\n\n${readFileSync(file, "utf8").trim()}\n`;
}).join("\n"));

const sha256 = (path) => createHash("sha256").update(readFileSync(join(root, path))).digest("hex");
const none = "NOASSERTION";
const described = (id, name, version, license, more) =>
  ({ SPDXID: `SPDXRef-${id}`, name, versionInfo: version, licenseDeclared: license, licenseConcluded: license, copyrightText: none, downloadLocation: none, filesAnalyzed: false, ...more });
/** Libraries of the system that a build links where it finds them: nothing of them is in the tarball. */
const linked = [["gmp", "LGPL-3.0-or-later OR GPL-2.0-or-later"], ["cjson", "MIT"], ["expat", "MIT"], ["suitesparse-cholmod", "LGPL-2.1-or-later AND GPL-2.0-or-later"]];
const relations = [
  { spdxElementId: "SPDXRef-DOCUMENT", relationshipType: "DESCRIBES", relatedSpdxElement: "SPDXRef-graze" },
  ...parts.map((_, i) => ({ spdxElementId: "SPDXRef-graze", relationshipType: "CONTAINS", relatedSpdxElement: `SPDXRef-viewer-${i}` })),
  ...linked.map(([name]) => ({ spdxElementId: `SPDXRef-${name}`, relationshipType: "OPTIONAL_DEPENDENCY_OF", relatedSpdxElement: "SPDXRef-graze" })),
];
writeFileSync(join(output, "parts.spdx.json"), JSON.stringify({
  spdxVersion: "SPDX-2.3",
  dataLicense: "CC0-1.0",
  SPDXID: "SPDXRef-DOCUMENT",
  name: `graze-${version}`,
  documentNamespace: `urn:graze:${version}:${commit}`,
  creationInfo: { created: new Date(1000 * seconds).toISOString().replace(/\.\d+Z/, "Z"), creators: ["Tool: graze-release"] },
  packages: [
    described("graze", "graze", version, "MIT", { sourceInfo: `git commit ${commit}` }),
    ...parts.map(([name, entry], i) => described(`viewer-${i}`, name, entry.version, entry.license, { externalRefs: [
      { referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: `pkg:npm/${name}@${entry.version}` }] })),
    ...linked.map(([name, license]) => described(name, name, none, license, {})),
  ],
  files: [{ SPDXID: "SPDXRef-viewer", fileName: "./web/built/index.html", checksums: [{ algorithm: "SHA256", checksumValue: sha256("web/built/index.html") }],
            licenseConcluded: "MIT", copyrightText: none }],
  relationships: [...relations, { spdxElementId: "SPDXRef-graze", relationshipType: "CONTAINS", relatedSpdxElement: "SPDXRef-viewer" }],
}, null, 2) + "\n");
