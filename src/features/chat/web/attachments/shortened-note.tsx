import { m } from '#messages';
import type { Attachment } from '../../contract.ts';

/** `sent`: UTF-8 bytes of the text that go to the model. */
export function ShortenedNote({
  file: { textBytes },
  sent,
  className,
}: {
  file: Attachment;
  sent: number;
  className: string;
}) {
  if (textBytes === null || sent >= textBytes) return null;
  const percent = Math.max(1, Math.floor((100 * sent) / textBytes));
  return <p className={className}>{m.chat_file_shortened({ percent })}</p>;
}
