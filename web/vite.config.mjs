// One file: the page with its style, its script, the worker and the WebAssembly module inside, so that it opens from a
// disk, from any file server, and with data that `graze view` puts into it.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { formulas } from "./formulas.mjs";
import { withPolicy } from "./policy.mjs";

const modules = process.env.GRAZE_WASM ?? "../build-wasm"; // the folder of the two, packed

function inOneFile() {
  return {
    name: "in-one-file",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle["index.html"];
      for (const [name, part] of Object.entries(bundle)) {
        if (part === page) continue;
        const text = part.type === "chunk" ? part.code : String(part.source);
        const tag = name.endsWith(".css") ? ["<style>\n", "</style>"] : ['<script type="module">\n', "</script>"];
        const link = new RegExp(`<(script|link)[^>]*(src|href)="[^"]*${name.replace(/[.]/g, "\\.")}"[^>]*>(</script>)?`);
        page.source = page.source.replace(link, "");
        const place = name.endsWith(".css") ? "</head>" : "</body>";
        page.source = page.source.replace(place, () => tag[0] + text.replaceAll("</script", "<\\/script") + tag[1] + "\n" + place);
        delete bundle[name];
      }
      // the module runs in a worker that the script makes of itself
      page.source = withPolicy(page.source, { scripts: "'wasm-unsafe-eval'", rules: "worker-src blob:; connect-src 'none'" });
    },
  };
}

export default defineConfig({
  base: "./",
  resolve: { alias: [{ find: /^modules/, replacement: fileURLToPath(new URL(modules, import.meta.url)) }] },
  build: { target: "es2022", assetsInlineLimit: 1e8, cssCodeSplit: false, modulePreload: false, chunkSizeWarningLimit: 4000 },
  worker: { format: "iife" },
  plugins: [formulas(), inOneFile()],
});
