import { useCallback, useEffect, useRef, useState } from 'react';
import { local } from '#client/storage.ts';
import type { Attachment } from '../../contract.ts';
import type { PendingUpload } from '../attachments/attachment-upload.ts';
import { phaseOf, useAttachments } from '../attachments/pending-uploads.ts';
import type { ChatControls } from '../state/chat-controls.ts';
import { type ChatState, editedMessage, liveMessage, type Message } from '../state/chat-state.ts';
import { emptyDraft, joinTexts, readDraft, saveDraft, withdrawPending } from '../state/drafts.ts';
import { useDraft, useDraftSync, useResumeEdit, useSentText } from './use-draft.ts';
import { rememberCommand, useInputHistory, useTextBox } from './use-text-box.ts';

export function useComposer(state: ChatState, controls: ChatControls) {
  const { owner } = state;
  // Of two simultaneous replies, the last one represents both.
  const live = liveMessage(state) && state.open.messages.at(-1)?.key;
  const busy = live !== undefined;
  const { id: chatId, stored, messages: turns } = state.open;
  const edited = editedMessage(state);
  const place = edited?.id ?? (stored ? chatId : null);
  const ofEdited = edited?.attachments;
  const box = useTextBox();
  const { text, show, focus } = box;

  const keep = (where: string | null) => {
    const written = where === place ? text() : readDraft(local, where, owner).text;
    saveDraft(local, where, { text: written, attachments: files.storedAt(where) }, owner);
    // While a reply runs, the pending message is already being sent.
    if (!busy) withdrawPending(local, where);
  };
  const { files, held, kit, take, prepare } = useAttachments(place, state, keep);
  const phase = phaseOf(held);
  const keptEdit = useResumeEdit(state, controls);
  const giveBack = useDraft({ chatId, place, owner, edited, keptEdit, box, files });
  useSentText(turns, (where, sent, left) => {
    if (where !== place || text() !== sent) return;
    show(left.text);
    files.forget(where, left.attachments);
    next.cancel();
  });
  const recall = useInputHistory(turns, box);

  const changed = () => {
    next.cancel();
    keep(place);
  };
  const clearIf = (sent: string) => {
    if (text() !== sent) return;
    show('');
    files.forget(place);
    next.cancel();
  };
  useDraftSync(place, (sent) => {
    clearIf(sent);
    if (edited && text() === '') controls.edit(null);
  });

  const replace = (typed: string) => {
    show(typed);
    changed();
    focus();
  };
  const append = (more: string) => {
    const typed = text().trimEnd();
    replace(typed === '' ? more : `${typed}\n\n${more}`);
  };
  const submit = () => {
    if (typeof box.extent === 'object' || (text().trim() === '' && !phase)) return;
    const note = state.me && rememberCommand(text());
    if (note) return controls.show({ kind: 'remember', text: note, onKept: () => replace('') });
    if (busy) return next.wait();
    kit?.queue.retry(place);
    if (phase && phase !== 'stored') return setWaiting(true);
    // The draft stays in storage until the server has the message.
    if (controls.send({ text: text(), attachments: files.storedAt(place) })) {
      show('');
      files.forget(place);
    }
    // A waiting message may be sent while the person works elsewhere on the page.
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.closest('.chat-composer')) focus();
  };
  const { waiting, setWaiting } = useSendWhenReady({ phase, place, busy, submit });
  const next = useSendAfterReply({ live, place: edited?.id ?? chatId, turns, submit });

  const takeAndFocus = useCallback(
    (chosen: File[], pasted?: string) => {
      take(chosen, pasted);
      focus();
    },
    [take, focus],
  );
  const cancelEdit = useCallback(() => {
    if (place === null) return;
    files.discard(place, ofEdited);
    saveDraft(local, place, emptyDraft, owner);
    controls.edit(null);
  }, [files, place, owner, ofEdited, controls]);

  return {
    ...box,
    files: {
      held,
      kit,
      take: takeAndFocus,
      prepare,
      /** Adds files that the server already has. */
      attach(chosen: Attachment[]) {
        void files.put(place, chosen);
        changed();
        focus();
      },
      names: files.storedAt(place).map(({ name }) => name),
      /** Puts the pasted text into the message instead. */
      unfold(key: string, pasted: string) {
        files.remove(key);
        append(pasted);
      },
      retry: (key: string) => kit?.queue.retry(place, key),
    },
    submit,
    next,
    waiting,
    stopWaiting: () => setWaiting(false),
    cancelEdit,
    onInput() {
      box.measure();
      changed();
    },
    replaceText: replace,
    recall(by: 1 | -1) {
      const done = recall(by);
      if (done) changed();
      return done;
    },
    /** Removes the file with this key, by default the last one. */
    removeFile(key = held.at(-1)?.key) {
      if (key === undefined) return false;
      files.remove(key, ofEdited);
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
      quote(passage: string) {
        const lines = passage.split('\n').map((line) => `> ${line}`.trimEnd());
        append(`${lines.join('\n')}\n\n`);
      },
      clearIf,
      focus: () => box.box.current?.focus(),
    },
  };
}

function useSuggest(
  { text, focus }: Pick<ReturnType<typeof useTextBox>, 'text' | 'focus'>,
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

interface NextMessage {
  /** Key of the running reply. */
  live: string | undefined;
  /** Id of the edited question or of the chat; a new chat has its id before it is stored. */
  place: string;
  turns: Message[];
  submit: () => void;
}

/**
 * Sends a message that was submitted during a reply once that reply is done. A change of the text, another chat, or a
 * stopped or failed reply ends the wait and keeps the text.
 */
function useSendAfterReply({ live, place, turns, submit }: NextMessage) {
  const [after, setAfter] = useState<{ reply: string; place: string } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of the reply or another place ends the wait
  useEffect(() => {
    if (!after || (after.reply === live && after.place === place)) return;
    setAfter(null);
    const replies = turns.slice(turns.findLastIndex(({ role }) => role === 'user') + 1);
    const isEnd =
      replies.some(({ key }) => key === after.reply) && replies.every(({ state }) => state === 'done');
    if (live === undefined && after.place === place && isEnd) submit();
  }, [after, live, place]);
  return {
    waits: after !== null,
    wait: () => {
      if (live !== undefined) setAfter({ reply: live, place });
    },
    cancel: () => setAfter(null),
  };
}

interface PendingSend {
  phase: PendingUpload['phase'] | undefined;
  place: string | null;
  busy: boolean;
  submit: () => void;
}

/**
 * Sends a message that waits for its files once the server has them. A failure, another chat or a new reply ends the
 * wait.
 */
function useSendWhenReady({ phase, place, busy, submit }: PendingSend) {
  const [waiting, setWaiting] = useState(false);
  const from = useRef(place);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the files, another place or a reply end the wait
  useEffect(() => {
    const here = from.current === place && !busy;
    from.current = place;
    if (!waiting || (here && phase === 'sending')) return;
    setWaiting(false);
    if (here && phase === 'stored') submit();
  }, [waiting, phase, place, busy]);
  return { waiting, setWaiting };
}
