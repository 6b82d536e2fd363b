import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { local } from '#client/storage.ts';
import { releaseKey } from '#features/generations/web/idempotency-keys.ts';
import type { PendingUploads } from '../attachments/pending-uploads.ts';
import type { ChatControls } from '../state/chat-controls.ts';
import { type ChatState, liveMessage, type Message } from '../state/chat-state.ts';
import {
  type DraftContent,
  draftKeys,
  draftOwner,
  emptyDraft,
  isBlank,
  isForeign,
  joinFiles,
  joinTexts,
  moveDraft,
  readDraft,
  readPending,
  removedDraft,
  removeSent,
  saveDraft,
} from '../state/drafts.ts';
import { isTouchOnly, type useTextBox } from './use-text-box.ts';

interface DraftPlace {
  chatId: string;
  place: string | null;
}

interface DraftParts extends DraftPlace {
  /** User id; null for a guest. */
  owner: string | null;
  edited: Message | undefined;
  resumedEdit: RefObject<string | null>;
  box: ReturnType<typeof useTextBox>;
  files: PendingUploads;
}

const joinDrafts = (refused: DraftContent, since: DraftContent): DraftContent => ({
  text: joinTexts(refused.text, since.text),
  attachments: joinFiles(refused.attachments, since.attachments),
});

function draftAt(
  { place, edited, owner }: Pick<DraftParts, 'place' | 'edited' | 'owner'>,
  parkedDraft: (DraftPlace & DraftContent) | null,
): DraftContent {
  const stored = readDraft(local, place, owner);
  if (!isBlank(stored)) return stored;
  if (edited) return { text: edited.content, attachments: edited.attachments };
  // Without storage, what an edit put aside is only here.
  return parkedDraft?.place === place ? parkedDraft : emptyDraft;
}

export function useDraft(parts: DraftParts): (message: DraftContent) => void {
  const { chatId, place, owner, edited, resumedEdit, box, files } = parts;
  const lastPlace = useRef<DraftPlace | null>(null);
  const reader = useRef(owner);
  const parkedDraft = useRef<(DraftPlace & DraftContent) | null>(null);
  const [returned, setReturned] = useState<DraftContent | null>(null);
  const shown = (): DraftContent => ({ text: box.text(), attachments: files.storedAt(place) });
  const load = ({ text, attachments }: DraftContent, focused: 'always' | 'usual' | 'free' = 'free') => {
    void files.addStored(place, attachments);
    box.show(text);
    // If the person moved the focus elsewhere before hydration, it stays there.
    if (focused !== 'free' || document.activeElement === document.body) box.focus(focused === 'always');
  };

  const openPlace = (before: DraftPlace | null) => {
    const typed = box.text();
    const draft = draftAt({ place, edited, owner }, parkedDraft.current);
    parkedDraft.current =
      before && edited ? { ...before, text: typed, attachments: files.storedAt(before.place) } : null;
    const isResumed = edited !== undefined && resumedEdit.current === place;
    if (isResumed) resumedEdit.current = null;
    if (before === null ? typed === '' : isResumed) return load(draft);
    // After pressing Edit the person wants to type, so the box gets the focus even on phones.
    if (before !== null) return load(draft, edited && !returned ? 'always' : 'usual');
    // Keep what was typed before hydration, without line breaks from pressing Enter to send.
    const typedEarly = { ...draft, text: isTouchOnly() ? typed : typed.replace(/\n+$/, '') };
    load(typedEarly);
    saveDraft(local, place, typedEarly, owner);
  };

  const adoptDraft = () => {
    files.move(null, place);
    if (isBlank(shown())) return;
    moveDraft(local, [null, place], shown(), owner);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another place or a returned message changes the text
  useLayoutEffect(() => {
    const before = lastPlace.current;
    const hasMoved = before?.chatId !== chatId || before.place !== place;
    const becameStored = before?.chatId === chatId && before.place === null && place === chatId;
    if (becameStored) adoptDraft();
    else if (hasMoved) openPlace(before);
    // A previous person's draft is not shown to whoever signed in now.
    else if (
      isForeign(reader.current, owner) ||
      (reader.current !== owner && isForeign(draftOwner(local, place), owner))
    )
      load(emptyDraft);
    lastPlace.current = { chatId, place };
    reader.current = owner;
    if (!returned) return;
    setReturned(null);
    // A returned edit shows the sent text, not the original.
    const message = hasMoved && edited ? returned : joinDrafts(returned, shown());
    load(message, 'usual');
    saveDraft(local, place, { text: message.text, attachments: files.storedAt(place) }, owner);
  }, [chatId, place, owner, returned]);

  return (message) => setReturned((before) => (before ? joinDrafts(before, message) : message));
}

export function useDraftSync(place: string | null, onRemoved: (text: string) => void) {
  const callback = useRef(onRemoved);
  callback.current = onRemoved;
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      const before = removedDraft(event, place);
      if (before !== null) callback.current(before);
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, [place]);
}

/**
 * A message that was returned because the responses were lost may have been accepted anyway. Once the chat shows it,
 * its text is removed from the draft, so that it is not sent and charged twice.
 */
export function useSentText(
  turns: Message[],
  onAccepted: (place: string | null, text: string, left: DraftContent) => void,
): void {
  const callback = useRef(onAccepted);
  callback.current = onAccepted;
  useEffect(() => {
    const keys = new Set(turns.flatMap(({ requestKey }) => requestKey ?? []));
    if (keys.size === 0) return;
    for (const key of keys) releaseKey(key);
    for (const { place, before, now } of removeSent(local, keys)) callback.current(place, before, now);
  }, [turns]);
}

/** Resumes the edit that was open when the chat was left. The ref holds the question's id until the box shows it. */
export function useResumeEdit(state: ChatState, controls: ChatControls): RefObject<string | null> {
  const { me, open, owner, editing } = state;
  const resumed = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an edit cancelled while the chat is open is not resumed
  useLayoutEffect(() => {
    if (!me || editing !== null || liveMessage(state)) return;
    const places = draftKeys(local);
    // A message that waits for the sign-in will be sent, not edited.
    const sent = readPending(local)?.replaces;
    const question = open.messages.findLast(
      ({ id, role }) =>
        role === 'user' && places.has(id) && id !== sent && !isBlank(readDraft(local, id, owner)),
    );
    if (!question) return;
    resumed.current = question.id;
    controls.edit(question);
  }, [open.id]);
  return resumed;
}
