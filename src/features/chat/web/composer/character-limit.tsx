import { m } from '#messages';
import { sentenceSeparator } from '#shared/join-sentences.ts';
import { chatLimits } from '../../contract.ts';

export default function CharacterLimit({ id, length }: { id: string; length: number }) {
  return (
    <p className="flex justify-between gap-4 px-4 pb-2 text-sm text-danger max-md:block" id={id}>
      <span role="alert">{m.chat_too_long()}</span>
      {sentenceSeparator()}
      <span className="shrink-0">{m.chat_length({ length, most: chatLimits.messageLength })}</span>
    </p>
  );
}
