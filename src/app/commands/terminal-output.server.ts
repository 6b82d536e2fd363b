import process from 'node:process';
import { pipeline } from 'node:stream/promises';

const isClosed = (error: unknown) => (error as { code?: string }).code === 'EPIPE';

// A reader such as `head` may close the pipe early, which is not an error.
process.stdout.on('error', (error) => {
  if (!isClosed(error)) throw error;
});

/** Prints a line with control characters escaped, because text from users must not control the terminal. */
export const printLine = (text: string) =>
  process.stdout.write(
    `${text.replace(/[[\p{Cc}\p{Cf}]--\n]/gv, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)}\n`,
  );

export const formatMinute = (date: Date | null) => date?.toISOString().slice(0, 16).replace('T', ' ') ?? '';

export async function printLines(lines: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(lines, process.stdout, { end: false });
  } catch (error) {
    if (!isClosed(error)) throw error;
  }
}
