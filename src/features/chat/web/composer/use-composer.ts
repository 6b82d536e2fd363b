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
  const editedFiles = edited?.attachments;
  const box = useTextBox();
  const { text, show, focus } = box;

  const save = (target: string | null) => {
    const currentText = target === place ? text() : readDraft(local, target, owner).text;
    saveDraft(local, target, { text: currentText, attachments: files.storedAt(target) }, owner);
    // While a reply runs, the pending message is already being sent.
    if (!busy) withdrawPending(local, target);
  };
  const { files, pending, kit, addFiles, prepare } = useAttachments(place, state, save);
  const phase = phaseOf(pending);
  const resumedEdit = useResumeEdit(state, controls);
  const returnMessage = useDraft({ chatId, place, owner, edited, resumedEdit, box, files });
  useSentText(turns, (target, sent, rest) => {
    if (target !== place || text() !== sent) return;
    show(rest.text);
    files.forget(target, rest.attachments);
    next.cancel();
  });
  const recall = useInputHistory(turns, box);

  const onChanged = () => {
    next.cancel();
    save(place);
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
    onChanged();
    focus();
  };
  const append = (addition: string) => {
    const typed = text().trimEnd();
    replace(typed === '' ? addition : `${typed}\n\n${addition}`);
  };
  const submit = () => {
    if (typeof box.textLength === 'object' || (text().trim() === '' && !phase)) return;
    const note = state.me && rememberCommand(text());
    if (note) return controls.show({ kind: 'remember', text: note, onSaved: () => replace('') });
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

  const addAndFocus = useCallback(
    (chosen: File[], pasted?: string) => {
      addFiles(chosen, pasted);
      focus();
    },
    [addFiles, focus],
  );
  const cancelEdit = useCallback(() => {
    if (place === null) return;
    files.discard(place, editedFiles);
    saveDraft(local, place, emptyDraft, owner);
    controls.edit(null);
  }, [files, place, owner, editedFiles, controls]);

  return {
    ...box,
    files: {
      pending,
      kit,
      addFiles: addAndFocus,
      prepare,
      /** Adds files that the server already has. */
      attach(chosen: Attachment[]) {
        void files.addStored(place, chosen);
        onChanged();
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
      onChanged();
    },
    replaceText: replace,
    recall(by: 1 | -1) {
      const done = recall(by);
      if (done) onChanged();
      return done;
    },
    /** Removes the file with this key, by default the last one. */
    removeFile(key = pending.at(-1)?.key) {
      if (key === undefined) return false;
      files.remove(key, editedFiles);
      save(place);
      focus();
      return true;
    },
    handle: {
      returnMessage,
      ...useSuggest(box, (suggestion) => {
        show(suggestion);
        onChanged();
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
  const insert = (suggestion: string) => {
    last.current = suggestion;
    if (suggestion !== text()) show(suggestion);
    focus();
  };
  return {
    suggest: (suggestion: string) => insert(joinTexts(suggestion, text() === last.current ? '' : text())),
    swap(from: readonly string[], to: string) {
      if (from.includes(text())) insert(to);
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
  const [awaited, setAwaited] = useState<{ reply: string; place: string } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of the reply or another place ends the wait
  useEffect(() => {
    if (!awaited || (awaited.reply === live && awaited.place === place)) return;
    setAwaited(null);
    const replies = turns.slice(turns.findLastIndex(({ role }) => role === 'user') + 1);
    const isEnd =
      replies.some(({ key }) => key === awaited.reply) && replies.every(({ state }) => state === 'done');
    if (live === undefined && awaited.place === place && isEnd) submit();
  }, [awaited, live, place]);
  return {
    isWaiting: awaited !== null,
    wait: () => {
      if (live !== undefined) setAwaited({ reply: live, place });
    },
    cancel: () => setAwaited(null),
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
  const previousPlace = useRef(place);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the files, another place or a reply end the wait
  useEffect(() => {
    const samePlace = previousPlace.current === place && !busy;
    previousPlace.current = place;
    if (!waiting || (samePlace && phase === 'sending')) return;
    setWaiting(false);
    if (samePlace && phase === 'stored') submit();
  }, [waiting, phase, place, busy]);
  return { waiting, setWaiting };
}
