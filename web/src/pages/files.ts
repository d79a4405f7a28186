// Files that are dropped on a page or chosen. They stay on the machine.
import type { NamedFile } from "../../package/src/graze";

export async function inMemory(files: File[]): Promise<NamedFile[]> {
  return Promise.all(files.map(async (f) => ({ name: f.name, bytes: new Uint8Array(await f.arrayBuffer()) })));
}

/** Files of a drop, those of folders included. */
export async function dropped(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((e) => e !== null && e !== undefined);
  if (!entries.length) return [...transfer.files];
  const files: File[] = [];
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    if (entry.isFile) files.push(await new Promise((done, failed) => (entry as FileSystemFileEntry).file(done, failed)));
    else {
      const reader = (entry as FileSystemDirectoryEntry).createReader();
      for (;;) {
        const batch = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
        if (!batch.length) break;
        for (const inner of batch) await walk(inner);
      }
    }
  };
  for (const entry of entries) await walk(entry);
  return files;
}
