// Rigid pieces, each with a place and a colour of its own.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, GLSL3, Group, Mesh, Quaternion, ShaderMaterial, Vector3 } from "three";

const bodyVertex = `
in float mark;
out vec3 place;
out float marked;
void main() {
  marked = mark;
  vec4 at = modelMatrix * vec4(position, 1.0);
  place = at.xyz;
  gl_Position = projectionMatrix * viewMatrix * at;
}`;
const bodyFragment = `
precision highp float;
in vec3 place;
in float marked;
uniform vec3 tint, mark_tint;
out vec4 pixel;
void main() {
  vec3 n = mat3(viewMatrix) * cross(dFdx(place), dFdy(place));
  float light = 0.45 + 0.55 * abs(dot(n, normalize(vec3(0.25, 0.4, 1.0)))) * inversesqrt(max(dot(n, n), 1e-30));
  pixel = vec4((marked > 0.5 ? mark_tint : tint) * light, 1.0);
}`;

export interface Body {
  vertices: Float64Array;
  faces: Uint32Array;
}

export class Bodies {
  readonly group = new Group();
  private readonly meshes: Mesh<BufferGeometry, ShaderMaterial>[];

  constructor(bodies: Body[]) {
    this.meshes = bodies.map(({ vertices, faces }) => {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(Float32Array.from(vertices), 3));
      geometry.setAttribute("mark", new BufferAttribute(new Float32Array(vertices.length / 3), 1));
      geometry.setIndex(new BufferAttribute(faces, 1));
      const material = new ShaderMaterial({
        uniforms: { tint: { value: new Color() }, mark_tint: { value: new Color() } }, vertexShader: bodyVertex, fragmentShader: bodyFragment, glslVersion: GLSL3, side: DoubleSide });
      const mesh = new Mesh(geometry, material);
      mesh.frustumCulled = false;
      return mesh;
    });
    this.group.add(...this.meshes);
  }

  place(body: number, q: number[], p: number[]): void {
    const mesh = this.meshes[body]!;
    mesh.quaternion.copy(new Quaternion(q[1]!, q[2]!, q[3]!, q[0]!));
    mesh.position.copy(new Vector3(p[0]!, p[1]!, p[2]!));
  }

  colour(body: number, rgb: number[]): void {
    (this.meshes[body]!.material.uniforms.tint!.value as Color).setRGB(rgb[0]!, rgb[1]!, rgb[2]!);
  }

  /** A colour for some vertices of a body, and the faces between them. */
  mark(body: number, vertices: (vertex: number) => boolean, rgb: number[]): void {
    const { geometry, material } = this.meshes[body]!, mark = geometry.getAttribute("mark") as BufferAttribute;
    for (let v = 0; v < mark.count; v++) mark.setX(v, vertices(v) ? 1 : 0);
    mark.needsUpdate = true;
    (material.uniforms.mark_tint!.value as Color).setRGB(rgb[0]!, rgb[1]!, rgb[2]!);
  }

  show(body: number, on: boolean): void {
    this.meshes[body]!.visible = on;
  }
}
