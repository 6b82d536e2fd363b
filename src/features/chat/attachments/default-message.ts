import { m } from '#messages';
import type { Attachment } from '../contract.ts';

/** Text of a message that consists only of files. */
export function defaultMessageFor(files: readonly Pick<Attachment, 'kind' | 'name'>[]): string {
  const [first, ...others] = files;
  if (!first) return '';
  if (others.length > 0)
    return m.chat_file_request_several({ names: files.map(({ name }) => name).join(', ') });
  const { kind, name } = first;
  if (kind === 'image') return m.chat_file_request_image({ name });
  return kind === 'pdf' ? m.chat_file_request_pdf({ name }) : m.chat_file_request_text({ name });
}
