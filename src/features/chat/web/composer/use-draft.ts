import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { local } from '../../../../client/storage.ts';
import type { Turn } from '../state/chat-state.ts';
import type { Outgoing } from '../state/controls.ts';
import {
  blank,
  draftOwner,
  isBlank,
  isForeign,
  joinTexts,
  keepDraft,
  readDraft,
} from '../state/kept-text.ts';
import type { HeldFiles } from './files/held-files.ts';
import { isTouchOnly } from './touch.ts';
import type { useBox } from './use-box.ts';

interface Here {
  chatId: string;
  place: string | null;
}

interface DraftParts extends Here {
  /** User id of the person whose drafts these are; null: a guest's. */
  owner: string | null;
  /** The question that is edited. */
  edited: Turn | undefined;
  /** Id of the question whose edit has gone on by itself. */
  keptEdit: RefObject<string | null>;
  box: ReturnType<typeof useBox>;
  files: HeldFiles;
}

/** Both messages, the refused one first; of two files the newer stays. */
const joined = (refused: Outgoing, since: Outgoing): Outgoing => ({
  text: joinTexts(refused.text, since.text),
  attachment: since.attachment ?? refused.attachment,
});

/** What the box shows at a place that is come to: its draft, or the question that is edited. */
function draftAt(
  { place, edited, owner }: Pick<DraftParts, 'place' | 'edited' | 'owner'>,
  aside: (Here & Outgoing) | null,
): Outgoing {
  const kept = readDraft(local, place, owner);
  if (!isBlank(kept)) return kept;
  if (edited) return { text: edited.content, attachment: edited.attachment };
  // Where nothing can be stored, what an edit put aside is here.
  return aside?.place === place ? aside : blank;
}

/**
 * Shows the draft of the place that is open: a chat, the chat not yet begun, or the question that is edited. A new chat
 * that gets its address keeps what was typed meanwhile. Returns the way to give a refused message back: it is shown
 * once the page shows the place that it belongs to.
 */
export function useDraft({
  chatId,
  place,
  owner,
  edited,
  keptEdit,
  box,
  files,
}: DraftParts): (message: Outgoing) => void {
  const here = useRef<Here | null>(null);
  const reader = useRef(owner);
  const aside = useRef<(Here & Outgoing) | null>(null);
  const [given, setGiven] = useState<Outgoing | null>(null);
  const shown = (): Outgoing => ({ text: box.text(), attachment: files.storedAt(place) });
  const bring = ({ text, attachment }: Outgoing, focused: 'always' | 'usual' | 'free' = 'free') => {
    if (attachment && !files.at(place)) void files.put(place, attachment);
    box.show(text);
    // Whoever has gone elsewhere before the page came alive stays there.
    if (focused !== 'free' || document.activeElement === document.body) box.focus(focused === 'always');
  };

  const arrive = (before: Here | null) => {
    const typed = box.text();
    const draft = draftAt({ place, edited, owner }, aside.current);
    aside.current =
      before && edited ? { ...before, text: typed, attachment: files.storedAt(before.place) } : null;
    const goesOn = edited !== undefined && keptEdit.current === place;
    if (goesOn) keptEdit.current = null;
    if (before === null ? typed === '' : goesOn) return bring(draft);
    // Whoever presses Edit wants to write.
    if (before !== null) return bring(draft, edited && !given ? 'always' : 'usual');
    // What was typed before the page came alive stays; an Enter that meant to send has only broken the line.
    const early = { ...draft, text: isTouchOnly() ? typed : typed.replace(/\n+$/, '') };
    bring(early);
    keepDraft(local, place, early, owner);
  };

  const adopt = () => {
    files.move(null, place);
    if (isBlank(shown())) return;
    keepDraft(local, null, blank, owner);
    keepDraft(local, place, shown(), owner);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another place, or a message given back, changes what is shown
  useLayoutEffect(() => {
    const before = here.current;
    const moved = before?.chatId !== chatId || before.place !== place;
    const begun = before?.chatId === chatId && before.place === null && place === chatId;
    if (begun) adopt();
    else if (moved) arrive(before);
    // What the one before left here is not theirs who have signed in now.
    else if (
      isForeign(reader.current, owner) ||
      (reader.current !== owner && isForeign(draftOwner(local, place), owner))
    )
      bring(blank);
    here.current = { chatId, place };
    reader.current = owner;
    if (!given) return;
    setGiven(null);
    // An edit that comes back shows what was sent, not what it began with.
    const message = moved && edited ? given : joined(given, shown());
    bring(message, 'usual');
    keepDraft(local, place, { text: message.text, attachment: files.storedAt(place) }, owner);
  }, [chatId, place, owner, given]);

  return (message) => setGiven((before) => (before ? joined(before, message) : message));
}
