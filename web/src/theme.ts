// Light or dark: as the machine says, unless the reader chose.

const listeners = new Set<() => void>();
const preferred = matchMedia("(prefers-color-scheme: dark)");
preferred.addEventListener("change", tell);

function tell(): void {
  for (const listener of listeners) listener();
}

export function isDark(): boolean {
  return (document.documentElement.dataset.theme ?? (preferred.matches ? "dark" : "light")) === "dark";
}

export function onTheme(listener: () => void): void {
  listeners.add(listener);
}

export function switchTheme(): void {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  tell();
}
