import type { RefObject } from 'react';
import { local } from '#client/storage.ts';
import { DictateButton } from '#features/dictation/web/dictate-button.tsx';
import { spacedText } from '#features/dictation/web/insert-text.ts';
import type { ChatProps } from '../state/chat-controls.ts';
import { editedMessage } from '../state/chat-state.ts';
import type { ChosenModel } from '../state/chosen-model.ts';
import { readDraft, saveDraft } from '../state/drafts.ts';
import { ModelPicker } from './model-picker.tsx';
import { isTouchOnly } from './use-text-box.ts';
import { WebSwitch } from './web-switch.tsx';

interface MessageOptionsProps extends ChatProps {
  chosen: ChosenModel | undefined;
  box: RefObject<HTMLTextAreaElement | null>;
}

function Dictation({ state, controls, box }: Omit<MessageOptionsProps, 'chosen'>) {
  const { me, open, owner } = state;
  if (!me || !state.dictates) return null;
  const edited = editedMessage(state)?.id;
  return (
    <DictateButton
      me={me}
      box={box}
      place={edited ?? open.id}
      onTextAfterSwitch={(dictated) => {
        const place = edited ?? (open.stored ? open.id : null);
        const { text, attachments } = readDraft(local, place, owner);
        saveDraft(local, place, { text: spacedText(text, dictated, ''), attachments }, owner);
      }}
      onLackOfCredits={() => controls.show({ kind: 'upgrade', cause: 'credits' })}
      onPaid={controls.setCredits}
      onEnd={() => {
        if (!isTouchOnly()) box.current?.focus({ preventScroll: true });
      }}
    />
  );
}

/** Options for sending a message, and dictation, where the operator offers them. */
export default function MessageOptions({ chosen, box, ...props }: MessageOptionsProps) {
  return (
    <>
      <WebSwitch {...props} />
      {chosen ? <ModelPicker {...props} chosen={chosen} /> : null}
      <Dictation {...props} box={box} />
    </>
  );
}
