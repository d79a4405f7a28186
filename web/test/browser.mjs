// Chromium without a window, as the tests use it. What the page complains about is collected, and fails them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const flags = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
];

/** `more` are flags of this one browser. */
export async function openBrowser({ more = [], ...options } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "graze-browser-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.env.GRAZE_CHROMIUM ?? "/usr/bin/chromium", args: [...flags, ...more], offline: options.offline ?? false,
    viewport: { width: 1200, height: 800 }, acceptDownloads: true, ...options });
  const complaints = [];
  const watch = (page) => {
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver/.test(message.text())) complaints.push(message.text());
    });
    page.on("pageerror", (problem) => complaints.push(String(problem)));
    page.on("request", (request) => {
      if (!/^(file|data|blob|about):|^http:\/\/localhost/.test(request.url())) complaints.push(`asked for ${request.url()}`);
    });
  };
  context.pages().forEach(watch);
  context.on("page", watch);
  return {
    context, complaints, page: context.pages()[0] ?? (await context.newPage()),
    async close() {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
