import FillInDialog from '#features/prompts/web/fill-in-dialog.tsx';
import PromptEditorDialog from '#features/prompts/web/prompt-editor-dialog.tsx';
import type { ChatProps } from '../state/chat-controls.ts';

/** Fills in the blanks of a prompt, for the message that is being written. */
export function FillInPrompt({ state: { dialog, me }, controls }: ChatProps) {
  if (!me || dialog?.kind !== 'fill-in') return null;
  const { prompt, onText } = dialog;
  return <FillInDialog prompt={prompt} userId={me.id} onText={onText} onClose={() => controls.show(null)} />;
}

export function NewPrompt({ state: { dialog, me }, controls }: ChatProps) {
  if (!me || dialog?.kind !== 'new-prompt') return null;
  return (
    <PromptEditorDialog
      prompt={null}
      userId={me.id}
      title={dialog.title}
      onClose={() => controls.show(null)}
    />
  );
}
