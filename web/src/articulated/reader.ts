// The file of `graze articulate` and the meshes beside it, as they were dropped. What is wrong is said as the program says it.
import { jointKinds, jointValues, type JointKind, type Link, type LinkMesh, type Model, type Motion, type NamedFile, type Placement } from "../../package/src/graze";
import { engine } from "../engine";
import { brokenLine } from "./json";
import { linkCount, type ModelScene } from "./scene";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Fields = { [key: string]: Json };

const fieldsOf = (json: Json | undefined): Fields | null =>
  typeof json === "object" && json !== null && !Array.isArray(json) ? json : null;

/** A link as the file has it, before parents come first. */
interface FileLink extends Link {
  jointName: string;
}

class Reader {
  constructor(private readonly path: string, private readonly files: NamedFile[]) {}

  fail(message: string): never {
    throw new Error(`${this.path}: ${message}`);
  }

  // ---- values of JSON ----

  parse(text: string): Fields {
    let json: Json;
    try {
      json = JSON.parse(text) as Json;
    } catch {
      throw new Error(`${this.path}:${brokenLine(text)}: not JSON`);
    }
    return fieldsOf(json) ?? this.fail("not an object");
  }

  private text(object: Fields, key: string, where: string): string {
    const value = object[key];
    return typeof value === "string" ? value : this.fail(`${where}: "${key}" is not a text`);
  }

  number(value: Json | undefined, where: string): number {
    if (typeof value !== "number") this.fail(`${where}: not a number`);
    return Number.isFinite(value) ? value : this.fail(`${where}: a number that is not finite`);
  }

  private numbers<N extends number[]>(list: Json | undefined, count: number, where: string): N {
    if (!Array.isArray(list) || list.length !== count) this.fail(`${where}: not a list of ${count} numbers`);
    return list.map((item) => this.number(item, where)) as N;
  }

  private placement(value: Json | undefined, where: string): Placement {
    const placement: Placement = { position: [0, 0, 0], rotation: [1, 0, 0, 0] };
    if (value === undefined) return placement;
    const object = fieldsOf(value) ?? this.fail(`${where}: "origin" is not an object`);
    if (object.position !== undefined) placement.position = this.numbers(object.position, 3, where);
    if (object.rotation === undefined) return placement;
    placement.rotation = this.numbers(object.rotation, 4, where);
    if (placement.rotation.every((x) => x === 0)) this.fail(`${where}: the rotation is zero`);
    return placement;
  }

  // ---- models ----

  private async mesh(given: Json, where: string): Promise<LinkMesh> {
    const object = fieldsOf(given), name = typeof given === "string" ? given : object?.mesh;
    if (typeof name !== "string") this.fail(`${where}: a mesh without a file`);
    const base = name.split("/").pop()!;
    const file = this.files.find((f) => f.name === name || f.name === base);
    if (!file) throw new Error(`${name}: it is not among the files that were dropped`);
    const { vertices, faces } = await engine.readMesh({ name, bytes: file.bytes });
    if (!faces.length) throw new Error(`${name}: no triangles`);
    return {
      vertices, faces, origin: this.placement(object?.origin, where),
      scale: object?.scale === undefined ? [1, 1, 1] : this.numbers(object.scale, 3, where),
    };
  }

  private async meshes(object: Fields, where: string): Promise<LinkMesh[]> {
    const list: LinkMesh[] = [];
    if (typeof object.mesh === "string") list.push(await this.mesh(object.mesh, where));
    for (const item of Array.isArray(object.meshes) ? object.meshes : []) list.push(await this.mesh(item, where));
    if (!list.length && object.mesh !== null) this.fail(`${where} is empty: no mesh ("mesh":null for a link without geometry)`);
    return list;
  }

  private async link(model: string, links: FileLink[], object: Fields): Promise<FileLink> {
    const name = this.text(object, "name", `model '${model}'`), where = `model '${model}', link '${name}'`;
    if (links.some((l) => l.name === name)) this.fail(`model '${model}' has two links '${name}'`);
    const link: FileLink = { name, jointName: name, parent: -1, joint: "fixed", origin: this.placement(undefined, where), axis: [0, 0, 1], padding: 0, meshes: [] };
    if (object.joint !== undefined) this.joint(object.joint, where, link);
    link.origin = this.placement(object.origin, where);
    if (object.padding !== undefined) link.padding = this.number(object.padding, where);
    link.meshes = await this.meshes(object, where);
    return link;
  }

  private joint(given: Json, where: string, link: FileLink): void {
    const object = fieldsOf(given) ?? this.fail(`${where}: "joint" is not an object`);
    const kind = this.text(object, "kind", where);
    if (!jointKinds.includes(kind as JointKind)) this.fail(`${where}: no joint is called '${kind}' (${jointKinds.join(", ")})`);
    link.joint = kind as JointKind;
    if (object.axis !== undefined) link.axis = this.numbers(object.axis, 3, where);
    if (typeof object.name === "string") link.jointName = object.name;
  }

  private async model(object: Fields): Promise<FileModel> {
    const name = this.text(object, "name", "a model"), links: FileLink[] = [];
    if (typeof object.urdf === "string")
      this.fail(`model '${name}' is a URDF: \`graze view ${this.path} --out page.html\` shows it`);
    if (Array.isArray(object.links)) {
      const given = object.links.map((l) => fieldsOf(l) ?? {});
      for (const link of given) links.push(await this.link(name, links, link));
      given.forEach((l, i) => this.hang(name, links, i, l.parent));
    } else {
      const where = `model '${name}'`;
      links.push({
        name, jointName: name, parent: -1, joint: "fixed", origin: this.placement(object.origin, where), axis: [0, 0, 1], padding: 0,
        meshes: await this.meshes(object, where) });
    }
    if (!links.length) this.fail(`model '${name}' has no links`);
    return this.ordered(name, links);
  }

  private hang(model: string, links: FileLink[], i: number, parent: Json | undefined): void {
    if (parent === undefined || parent === null) return;
    links[i]!.parent = links.findIndex((l) => l.name === parent);
    if (links[i]!.parent < 0) this.fail(`model '${model}': link '${links[i]!.name}' hangs on a link that is not there`);
  }

  /** Parents before their children. */
  private ordered(name: string, links: FileLink[]): FileModel {
    const order: number[] = [], underWay = new Set<number>();
    const put = (i: number) => {
      if (order.includes(i)) return;
      const link = links[i]!;
      if (underWay.has(i)) this.fail(`model '${name}': link '${link.name}' hangs on itself: the links form a cycle`);
      underWay.add(i);
      if (link.parent >= 0) put(link.parent);
      if (["revolute", "prismatic"].includes(link.joint) && link.axis.every((x) => x === 0))
        this.fail(`model '${name}': the axis of link '${link.name}' is zero or not finite`);
      order.push(i);
    };
    links.forEach((_, i) => put(i));
    return { name, inFile: links, links: order.map((i) => ({ ...links[i]!, parent: order.indexOf(links[i]!.parent) })) };
  }

  async models(list: Json | undefined): Promise<FileModel[]> {
    if (!Array.isArray(list) || !list.length) this.fail('no "models"');
    const models: FileModel[] = [];
    for (const given of list) {
      const model = await this.model(fieldsOf(given) ?? {});
      if (models.some((m) => m.name === model.name)) this.fail(`two models are called '${model.name}'`);
      models.push(model);
    }
    return models;
  }

  // ---- motion ----

  private values(model: FileModel, given: Json | undefined, what: string): number[] {
    const named = fieldsOf(given), byLink = new Map<string, number[]>();
    const size = (l: FileLink) => jointValues[l.joint];
    if (named) {
      for (const [name, value] of Object.entries(named)) {
        const link = model.inFile.find((l) => l.jointName === name);
        if (!link || !size(link)) this.fail(`model '${model.name}': no joint '${name}' takes a value`);
        const where = `model '${model.name}', joint '${name}'`;
        byLink.set(link.name, typeof value === "number" && size(link) === 1 ? [this.number(value, where)] : this.numbers(value, size(link), where));
      }
    } else {
      const count = model.inFile.reduce((sum, l) => sum + size(l), 0);
      const list = this.numbers(given, count, `motion of '${model.name}', "${what}"`);
      let first = 0;
      for (const link of model.inFile) byLink.set(link.name, list.slice(first, (first += size(link))));
    }
    return model.links.flatMap((l) => byLink.get(l.name) ?? Array<number>(size(l as FileLink)).fill(0));
  }

  private turns(model: FileModel, given: Fields): (([number, number, number]) | null)[] {
    const turns: ([number, number, number] | null)[] = model.links.map(() => null);
    for (const [name, value] of Object.entries(given)) {
      const link = model.links.findIndex((l) => l.name === name);
      if (link < 0) this.fail(`"turn" of '${model.name}': no link '${name}'`);
      turns[link] = this.numbers(value, 3, '"turn"');
    }
    return turns;
  }

  private cubic(model: FileModel, given: Json): NonNullable<Motion["cubic"]> {
    const count = model.inFile.reduce((sum, l) => sum + jointValues[l.joint], 0);
    if (!Array.isArray(given) || given.length !== count) this.fail(`motion of '${model.name}': "cubic" is not a list of ${count}`);
    const rows = given.map((row) => this.numbers<[number, number, number, number]>(row, 4, '"cubic"'));
    let first = 0;
    const byLink = new Map(model.inFile.map((l) => [l.name, rows.slice(first, (first += jointValues[l.joint]))]));
    return model.links.flatMap((l) => byLink.get(l.name)!);
  }

  private motion(model: FileModel, object: Fields): Motion {
    if (object.screw !== undefined) this.fail(`motion of '${model.name}': screws are not played here`);
    if (object.rotvec !== undefined) this.fail(`motion of '${model.name}': straight rotation vectors are not played here`);
    if (object.cubic !== undefined) return { from: [], to: [], cubic: this.cubic(model, object.cubic) };
    const from = this.values(model, object.from, "from"), to = this.values(model, object.to, "to"), turn = fieldsOf(object.turn);
    return { from, to, ...(turn && { turns: this.turns(model, turn) }) };
  }

  /** [segment][model] */
  segments(models: FileModel[], given: Json | undefined): Motion[][] {
    const motions = Object.entries(fieldsOf(given) ?? {});
    let segments: number | null = null;
    for (const [name, object] of motions) {
      const path = fieldsOf(object)?.path;
      if (path === undefined) continue;
      const poses = Array.isArray(path) ? path.length : 0;
      if (poses < 2) this.fail(`motion of '${name}': a path needs at least two poses`);
      if (segments !== null && segments !== poses - 1) this.fail(`motion of '${name}': paths of different lengths`);
      segments = poses - 1;
    }
    const count = segments ?? 1;
    const table = Array.from({ length: count }, () => models.map((m): Motion => ({ from: this.values(m, {}, "from"), to: this.values(m, {}, "to") })));
    for (const [name, given2] of motions) {
      const index = models.findIndex((m) => m.name === name), model = models[index] ?? this.fail(`"motion": no model '${name}'`);
      const object = fieldsOf(given2) ?? {}, { path } = object;
      if (Array.isArray(path))
        table.forEach((row, s) => (row[index] = { from: this.values(model, path[s], "path"), to: this.values(model, path[s + 1], "path") }));
      else if (segments !== null) this.fail(`motion of '${name}': some models have a path, this one has none`);
      else table[0]![index] = this.motion(model, object);
    }
    return table;
  }

  // ---- pairs ----

  /** "model/link", or "model" for all of its links. */
  private find(models: Model[], name: string): number[] {
    let first = 0;
    for (const model of models) {
      if (name === model.name) return model.links.map((_, l) => first + l);
      const link = name.startsWith(`${model.name}/`) ? model.links.findIndex((l) => l.name === name.slice(model.name.length + 1)) : -1;
      if (link >= 0) return [first + link];
      first += model.links.length;
    }
    return this.fail(`"skip": no link '${name}'`);
  }

  linkPairs(models: Model[], skip: Json | undefined): Uint8Array {
    const total = linkCount(models), pairs = new Uint8Array(total * total).fill(1);
    for (const pair of Array.isArray(skip) ? skip : []) {
      if (!Array.isArray(pair) || pair.length !== 2) this.fail('"skip" lists pairs of links');
      const [a, b] = pair.map((name) => this.find(models, typeof name === "string" ? name : "?"));
      for (const i of a!) for (const j of b!) pairs[i * total + j] = pairs[j * total + i] = 0;
    }
    return pairs;
  }
}

interface FileModel extends Model {
  inFile: FileLink[];
}

/** The one JSON file among those that were dropped, and its meshes. */
export async function readModelFile(files: NamedFile[]): Promise<ModelScene> {
  const file = files.find((f) => /\.json$/i.test(f.name));
  if (!file) throw new Error("A model file, please: the .json that `graze articulate` reads, and the meshes that it names.");
  const reader = new Reader(file.name, files), json = reader.parse(new TextDecoder().decode(file.bytes));
  const models = await reader.models(json.models), segments = reader.segments(models, json.motion), linkPairs = reader.linkPairs(models, json.skip);
  const scalar = (key: string) => (json[key] === undefined ? 0 : reader.number(json[key], `"${key}"`));
  const separation = scalar("separation"), tolerance = scalar("tolerance");
  if (separation < 0 || tolerance < 0) reader.fail('"separation" and "tolerance" are not negative');
  return { title: file.name, note: "", models, segments, linkPairs, separation, tolerance };
}
