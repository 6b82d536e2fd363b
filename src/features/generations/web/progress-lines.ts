/** Those that have arrived whole; a line that is no JSON is left out. */
export function progressLines<T>(text: string): T[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as T];
    } catch {
      return [];
    }
  });
}
