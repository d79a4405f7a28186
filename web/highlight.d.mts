export function pieces(text: string, language: string): [name: string, text: string][];
