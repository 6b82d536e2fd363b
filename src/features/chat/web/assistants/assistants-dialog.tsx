import { Bot, Check, Pencil, Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { MenuItem } from '#ui/menu.tsx';
import { generalAssistant } from '../../contract.ts';
import type { NamedAssistant, OwnAssistantRow } from '../../own-assistants/own-assistants-contract.ts';
import type { ChatProps } from '../state/chat-controls.ts';
import { newChatPath } from '../state/chat-state.ts';
import { reportFailure } from '../state/offer-undo.ts';
import { chooseAssistant, deleteAssistant, fetchAssistants } from './assistant-requests.ts';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

interface ChoiceProps {
  assistant: NamedAssistant;
  chosen: boolean;
  onChoose: () => void;
}

function Choice({ assistant: { name, about }, chosen, onChoose }: ChoiceProps) {
  return (
    <MenuItem className="min-w-0 flex-1" aria-current={chosen ? 'true' : undefined} onClick={onChoose}>
      <Bot {...icon} className="shrink-0" />
      <span className="grid min-w-0 flex-1 py-1" dir="auto">
        <span className="font-semibold wrap-anywhere">{name}</span>
        {about === '' ? null : (
          <span className="text-xs font-normal wrap-anywhere text-fg-muted">{about}</span>
        )}
      </span>
      {chosen ? <Check {...icon} className="shrink-0" /> : null}
    </MenuItem>
  );
}

/** `rows` is null until they are loaded. */
function useAssistants(onMissing: () => void) {
  const [rows, setRows] = useState<OwnAssistantRow[] | null>(null);
  const load = useRef(() =>
    fetchAssistants().then(
      ({ assistants }) => setRows(assistants),
      (error: unknown) => {
        reportFailure(error);
        onMissing();
      },
    ),
  );
  useEffect(() => void load.current(), []);
  return { rows, reload: load.current };
}

export default function AssistantsDialog({ state, controls }: ChatProps) {
  const { open } = state;
  const [closeDialog] = useState(() => () => controls.show(null));
  const { rows, reload } = useAssistants(closeDialog);
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();
  const newButton = useRef<HTMLButtonElement>(null);
  const chosenId = open.assistantGone ? generalAssistant : open.assistant;
  const siteAssistants = state.assistants.filter(({ tool, id }) => tool === null || id === chosenId);

  const choose = async (id: string, close: () => void) => {
    if (busy) return;
    if (!open.stored) {
      close();
      void navigate(newChatPath(id, open.temporary, open.project));
      return;
    }
    setBusy(true);
    try {
      await chooseAssistant(open.id, id);
      await controls.loadAround('');
      close();
    } catch (error) {
      reportFailure(error);
    }
    setBusy(false);
  };
  /** The open chat may have lost the assistant, or got it back. */
  const onChange = () => {
    void reload();
    if (open.stored) void controls.loadAround('');
  };

  return (
    <Dialog title={m.assistant_change()} onClose={closeDialog}>
      {(close) => (
        <div className="dialog-body grid gap-4" aria-busy={busy || rows === null}>
          <ul>
            {siteAssistants.map(({ id, name, description }) => (
              <li key={id} className="flex">
                <Choice
                  assistant={{ id, name, about: description }}
                  chosen={id === chosenId}
                  onChoose={() => void choose(id, close)}
                />
              </li>
            ))}
          </ul>
          <section className="grid gap-2 border-t border-line pt-4" aria-labelledby="own-assistants">
            <h3 className="label" id="own-assistants">
              {m.assistants_own()}
            </h3>
            {rows === null ? (
              <p className="muted text-sm" role="status">
                {m.chat_loading()}
              </p>
            ) : rows.length === 0 ? (
              <p className="muted text-sm">{m.assistants_empty()}</p>
            ) : (
              <ul aria-labelledby="own-assistants">
                {rows.map((row) => (
                  <li key={row.id} className="flex items-center gap-1">
                    <Choice
                      assistant={row}
                      chosen={row.id === chosenId}
                      onChoose={() => void choose(row.id, close)}
                    />
                    <IconButton
                      Icon={Pencil}
                      label={m.assistant_edit_named({ name: row.name })}
                      title={m.common_edit()}
                      onClick={() => controls.show({ kind: 'assistant', id: row.id })}
                    />
                    <IconButton
                      Icon={Trash2}
                      label={m.common_delete_named({ title: row.name })}
                      title={m.common_delete()}
                      onClick={() => {
                        newButton.current?.focus();
                        void deleteAssistant(row, onChange);
                      }}
                    />
                  </li>
                ))}
              </ul>
            )}
            <Button
              ref={newButton}
              className="justify-self-start"
              onClick={() => controls.show({ kind: 'assistant', id: null })}
            >
              <Plus {...icon} />
              {m.assistant_new()}
            </Button>
          </section>
        </div>
      )}
    </Dialog>
  );
}
