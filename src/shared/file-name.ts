const MAX_LENGTH = 255;

/** Includes format characters that reverse or hide text, except the joiner that emoji need. */
const hidden = /(?!\u200d)[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Returns the last part of a path on one line, with at most 255 code points including its extension, or 'file' if
 * nothing is left.
 */
export function cleanFileName(text: string): string {
  const last = text.toWellFormed().normalize('NFC').replace(hidden, '').split(/[\\/]/).at(-1) ?? '';
  const name = last.replace(/\s+/g, ' ').replace(/^[. ]+|[. ]+$/g, '');
  const extension = /\.\w{1,10}$/.exec(name)?.[0] ?? '';
  const stem = [...name.slice(0, name.length - extension.length)];
  return stem.slice(0, MAX_LENGTH - extension.length).join('') + extension || 'file';
}

const extensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/epub+zip': 'epub',
};

export const extensionOf = (type: string): string => extensions[type] ?? 'bin';

export function savedFileName(name: string, type: string): string {
  // A file that counts as text because of its name keeps that name.
  if (type === 'text/plain') return name;
  const extension = extensionOf(type);
  const pattern = extension === 'jpg' ? /\.jpe?g$/i : new RegExp(`\\.${extension}$`, 'i');
  if (pattern.test(name)) return name;
  return `${extension === 'pdf' ? name : name.replace(/\.(jpe?g|png|webp|hei[cf])$/i, '')}.${extension}`;
}
