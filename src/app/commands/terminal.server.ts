import process from 'node:process';

/** Prints a line or more to a terminal: nothing that a person typed may steer it. */
export const say = (text: string) =>
  process.stdout.write(
    `${text.replace(/[[\p{Cc}\p{Cf}]--\n]/gv, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)}\n`,
  );

/** A time to the minute, UTC; nothing for none. */
export const minute = (date: Date | null) => date?.toISOString().slice(0, 16).replace('T', ' ') ?? '';
