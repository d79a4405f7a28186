// JSON, and where it stops being JSON: browsers do not all say.

const blank = /[ \t\r\n]*/y, scalar = /-?\d+(\.\d+)?([eE][-+]?\d+)?|true|false|null/y, text = /"([^"\\\u0000-\u001f]|\\.)*"/y;

/** Goes as far as the text is JSON. */
class Walk {
  at = 0;

  constructor(private readonly json: string) {}

  private take(what: RegExp | string): boolean {
    const sticky = typeof what === "string" ? null : what;
    if (sticky) sticky.lastIndex = this.at;
    const length = sticky ? sticky.exec(this.json)?.[0].length ?? -1 : this.json.startsWith(what as string, this.at) ? 1 : -1;
    this.at += Math.max(0, length);
    return length >= 0;
  }

  private list(close: string, item: () => boolean): boolean {
    this.take(blank);
    if (this.take(close)) return true;
    do if (!item()) return false;
    while (this.take(","));
    return this.take(close);
  }

  value(): boolean {
    this.take(blank);
    const good = this.take("[") ? this.list("]", () => this.value()) : this.take("{") ? this.list("}", () => this.member()) : this.take(text) || this.take(scalar);
    return good && this.take(blank);
  }

  private member(): boolean {
    this.take(blank);
    return this.take(text) && this.take(blank) && this.take(":") && this.value();
  }
}

/** The line at which a text that is not JSON stops to be. */
export function brokenLine(json: string): number {
  const walk = new Walk(json);
  walk.value();
  return json.slice(0, walk.at).split("\n").length;
}
