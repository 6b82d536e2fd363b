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
  saveDraft,
  takeOutSent,
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
  keptEdit: RefObject<string | null>;
  box: ReturnType<typeof useTextBox>;
  files: PendingUploads;
}

const joined = (refused: DraftContent, since: DraftContent): DraftContent => ({
  text: joinTexts(refused.text, since.text),
  attachments: joinFiles(refused.attachments, since.attachments),
});

function draftAt(
  { place, edited, owner }: Pick<DraftParts, 'place' | 'edited' | 'owner'>,
  aside: (DraftPlace & DraftContent) | null,
): DraftContent {
  const kept = readDraft(local, place, owner);
  if (!isBlank(kept)) return kept;
  if (edited) return { text: edited.content, attachments: edited.attachments };
  // Without storage, what an edit put aside is only here.
  return aside?.place === place ? aside : emptyDraft;
}

export function useDraft(parts: DraftParts): (message: DraftContent) => void {
  const { chatId, place, owner, edited, keptEdit, box, files } = parts;
  const here = useRef<DraftPlace | null>(null);
  const reader = useRef(owner);
  const aside = useRef<(DraftPlace & DraftContent) | null>(null);
  const [given, setGiven] = useState<DraftContent | null>(null);
  const shown = (): DraftContent => ({ text: box.text(), attachments: files.storedAt(place) });
  const bring = ({ text, attachments }: DraftContent, focused: 'always' | 'usual' | 'free' = 'free') => {
    void files.put(place, attachments);
    box.show(text);
    // If the person moved the focus elsewhere before hydration, it stays there.
    if (focused !== 'free' || document.activeElement === document.body) box.focus(focused === 'always');
  };

  const arrive = (before: DraftPlace | null) => {
    const typed = box.text();
    const draft = draftAt({ place, edited, owner }, aside.current);
    aside.current =
      before && edited ? { ...before, text: typed, attachments: files.storedAt(before.place) } : null;
    const goesOn = edited !== undefined && keptEdit.current === place;
    if (goesOn) keptEdit.current = null;
    if (before === null ? typed === '' : goesOn) return bring(draft);
    // After pressing Edit the person wants to type, so the box gets the focus even on phones.
    if (before !== null) return bring(draft, edited && !given ? 'always' : 'usual');
    // Keep what was typed before hydration, without line breaks from pressing Enter to send.
    const early = { ...draft, text: isTouchOnly() ? typed : typed.replace(/\n+$/, '') };
    bring(early);
    saveDraft(local, place, early, owner);
  };

  const adopt = () => {
    files.move(null, place);
    if (isBlank(shown())) return;
    moveDraft(local, [null, place], shown(), owner);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another place or a returned message changes the text
  useLayoutEffect(() => {
    const before = here.current;
    const moved = before?.chatId !== chatId || before.place !== place;
    const begun = before?.chatId === chatId && before.place === null && place === chatId;
    if (begun) adopt();
    else if (moved) arrive(before);
    // A previous person's draft is not shown to whoever signed in now.
    else if (
      isForeign(reader.current, owner) ||
      (reader.current !== owner && isForeign(draftOwner(local, place), owner))
    )
      bring(emptyDraft);
    here.current = { chatId, place };
    reader.current = owner;
    if (!given) return;
    setGiven(null);
    // A returned edit shows the sent text, not the original.
    const message = moved && edited ? given : joined(given, shown());
    bring(message, 'usual');
    saveDraft(local, place, { text: message.text, attachments: files.storedAt(place) }, owner);
  }, [chatId, place, owner, given]);

  return (message) => setGiven((before) => (before ? joined(before, message) : message));
}

export function useDraftSync(place: string | null, gone: (text: string) => void) {
  const told = useRef(gone);
  told.current = gone;
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      const before = removedDraft(event, place);
      if (before !== null) told.current(before);
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
  taken: (place: string | null, text: string, left: DraftContent) => void,
): void {
  const told = useRef(taken);
  told.current = taken;
  useEffect(() => {
    const keys = new Set(turns.flatMap(({ requestKey }) => requestKey ?? []));
    if (keys.size === 0) return;
    for (const key of keys) releaseKey(key);
    for (const { place, before, now } of takeOutSent(local, keys)) told.current(place, before, now);
  }, [turns]);
}

/** Resumes the edit that was open when the chat was left. The ref holds the question's id until the box shows it. */
export function useResumeEdit(state: ChatState, controls: ChatControls): RefObject<string | null> {
  const { me, open, owner, editing } = state;
  const begun = useRef<string | null>(null);
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
    begun.current = question.id;
    controls.edit(question);
  }, [open.id]);
  return begun;
}
