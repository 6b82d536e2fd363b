/** Returns the complete lines, parsed; a line that is not JSON is skipped. */
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
