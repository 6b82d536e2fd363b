/**
 * The lines of JSON that a run without a running text tells its progress by, those that have arrived whole. A line that
 * is none is left out.
 */
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
