import { useCallback, useRef } from 'react';
import { local } from '../../../../client/storage.ts';
import { type ChatState, editedTurn, liveTurn } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';
import { blank, joinTexts, keepDraft, readDraft, withdrawPending } from '../state/kept-text.ts';
import { useFiles } from './files/use-files.ts';
import { useBox } from './use-box.ts';
import { useDraft } from './use-draft.ts';
import { useKeptEdit } from './use-kept-edit.ts';
import { useOtherTabs } from './use-other-tabs.ts';
import { useRecall } from './use-recall.ts';
import { useRefusedEnter } from './use-refused-enter.ts';
import { useSendWhenReady } from './use-send-when-ready.ts';

/** The text, the file and the draft of the place that is open, and what can be done with them. */
export function useWriting(state: ChatState, controls: ChatControls) {
  const { owner } = state;
  const live = liveTurn(state)?.key;
  const busy = live !== undefined;
  const { id: chatId, stored, turns } = state.open;
  const edited = editedTurn(state);
  const place = edited?.id ?? (stored ? chatId : null);
  const sentFile = edited?.attachment?.id;
  const box = useBox();
  const { text, show, focus } = box;

  const keep = (where: string | null) => {
    const written = where === place ? text() : readDraft(local, where, owner).text;
    keepDraft(local, where, { text: written, attachment: files.storedAt(where) }, owner);
    // While a reply runs, the waiting message is on its way.
    if (!busy) withdrawPending(local, where);
  };
  const { files, held, kit, take, prepare } = useFiles(place, state, keep);
  const giveBack = useDraft({
    chatId,
    place,
    owner,
    edited,
    keptEdit: useKeptEdit(state, controls),
    box,
    files,
  });
  const recall = useRecall(turns, box);
  const enter = useRefusedEnter(live, place);

  const changed = () => {
    enter.forget();
    keep(place);
  };
  const clearIf = (sent: string) => {
    if (text() !== sent) return;
    show('');
    files.forget(place);
    enter.forget();
  };
  useOtherTabs(place, (sent) => {
    clearIf(sent);
    if (edited && text() === '') controls.edit(null);
  });

  const submit = () => {
    if (typeof box.extent === 'object' || (text().trim() === '' && !held)) return;
    if (busy) return enter.refuse();
    if (held?.phase === 'failed') files.retry(place);
    if (held && held.phase !== 'stored') return setWaiting(true);
    // The draft stays in storage until the server has the message.
    if (controls.send({ text: text(), attachment: files.storedAt(place) })) {
      show('');
      files.forget(place);
    }
    focus();
  };
  const { waiting, setWaiting } = useSendWhenReady({ phase: held?.phase, place, busy, submit });

  const cancelEdit = useCallback(() => {
    if (place === null) return;
    files.discard(place, sentFile);
    keepDraft(local, place, blank, owner);
    controls.edit(null);
  }, [files, place, owner, sentFile, controls]);

  return {
    ...box,
    files: {
      held,
      kit,
      take: useTake(take, focus),
      prepare,
      name: files.storedAt(place)?.name,
      retry: () => files.retry(place),
    },
    submit,
    refused: enter.refused,
    waiting,
    stopWaiting: () => setWaiting(false),
    cancelEdit,
    onInput() {
      box.measure();
      changed();
    },
    /** In place of what was typed to find something, which is no message. */
    replaceText(found: string) {
      show(found);
      changed();
      focus();
    },
    recall(by: 1 | -1) {
      const done = recall(by);
      if (done) changed();
      return done;
    },
    removeFile() {
      if (!held) return false;
      files.remove(place, sentFile);
      keep(place);
      focus();
      return true;
    },
    handle: {
      giveBack,
      ...useSuggest(box, (suggestion) => {
        show(suggestion);
        changed();
      }),
      clearIf,
      focus: () => box.box.current?.focus(),
    },
  };
}

/** Whoever has attached a file goes on by writing. */
const useTake = (take: (files: File[]) => void, focus: () => void) =>
  useCallback(
    (files: File[]) => {
      take(files);
      focus();
    },
    [take, focus],
  );

/** A suggestion takes the place of the one before it, but joins what was typed. */
function useSuggest(
  { text, focus }: Pick<ReturnType<typeof useBox>, 'text' | 'focus'>,
  show: (text: string) => void,
) {
  const last = useRef('');
  const put = (suggestion: string) => {
    last.current = suggestion;
    if (suggestion !== text()) show(suggestion);
    focus();
  };
  return {
    suggest: (suggestion: string) => put(joinTexts(suggestion, text() === last.current ? '' : text())),
    swap(from: readonly string[], to: string) {
      if (from.includes(text())) put(to);
    },
  };
}
