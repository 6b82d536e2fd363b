import { useEffect, useRef } from 'react';
import { useRevalidator } from 'react-router';
import { announce } from '../../../client/announce.ts';
import { useKeptForm } from '../../../client/kept-form.ts';
import { toast } from '../../../client/page-events.ts';
import type { Me } from '../../accounts/contract.ts';
import type { useRefusal } from '../../credits/web/use-refusal.tsx';
import { type RunControl, type RunEnd, useRun } from '../../generations/web/use-run.ts';
import type { DocumentView, StartedDocumentRun } from '../contract.ts';
import { forgetAnalysis, noteAnalysis } from './running/noted.ts';
import { holdNews } from './running/running.ts';

interface RunsInput {
  document: DocumentView;
  me: Me | null;
  refusing: ReturnType<typeof useRefusal>;
  onCredits: (credits: number | null) => void;
}

const isOpen = (state: string | undefined) => state === 'queued' || state === 'running';

/** One run of a document; what it gave is loaded with the page. */
function useDocumentRun(
  { refusing, onCredits }: RunsInput,
  {
    open,
    done,
    onStarted,
    onEnd,
  }: {
    open: string | undefined;
    done: string;
    onStarted: (run: string) => void;
    onEnd: (end: RunEnd) => void;
  },
): RunControl {
  const { revalidate } = useRevalidator();
  const run = useRun<StartedDocumentRun>({
    onStarted: ({ generation, credits }) => {
      onCredits(credits);
      onStarted(generation.id);
      void revalidate();
    },
    onEnd: (end) => {
      onCredits(end.credits);
      void revalidate();
      onEnd(end);
      if (end.state === 'done') announce(done);
    },
    onRefused: refusing.refuse,
  });
  const { follow } = run;
  useEffect(() => {
    if (open) follow(open);
  }, [open, follow]);
  return run;
}

/** Tells of an analysis that goes on when its page is left, and of none while it is open. */
function useNews({ id, name }: DocumentView, open: string | undefined) {
  useEffect(() => holdNews(id), [id]);
  useEffect(() => {
    if (open) noteAnalysis({ run: open, document: id, name });
  }, [open, id, name]);
}

/**
 * The two runs of a document: its analysis, and the answer to a question. Each is taken up again after a reload.
 * @param answersShown whether the answers are in sight, and with them what became of a question.
 */
export function useRuns(input: RunsInput, answersShown: boolean) {
  const { document, refusing } = input;
  const { id, name } = document;
  const form = useKeptForm(`pdf-question:${id}`, { question: '' }, input.me?.id ?? null);
  const asked = useRef('');
  const openAnalysis = isOpen(document.analysis?.state) ? document.analysis?.id : undefined;
  useNews(document, openAnalysis);
  const analysis = useDocumentRun(input, {
    open: openAnalysis,
    done: 'The analysis is complete.',
    onStarted: (run) => noteAnalysis({ run, document: id, name }),
    onEnd: (end) => forgetAnalysis(end.id),
  });
  const question = useDocumentRun(input, {
    open: document.questions.findLast(({ state }) => isOpen(state))?.id,
    done: 'The answer is there.',
    onStarted: () => {
      form.change({ question: '' });
      form.forget();
    },
    onEnd: (end) => {
      const text = asked.current || document.questions.find((known) => known.id === end.id)?.question;
      asked.current = '';
      if (end.state === 'done') return;
      if (text && form.values.question.trim() === '') form.change({ question: text });
      if (!end.error) return;
      if (answersShown) announce(end.error.message);
      else toast({ title: 'Error', text: end.error.message, kind: 'danger' });
    },
  });
  const analyse = () => {
    refusing.clear();
    analysis.begin({ path: `/api/documents/${id}/analysis`, body: {} });
  };
  const ask = (text: string) => {
    refusing.clear();
    asked.current = text;
    question.begin({ path: `/api/documents/${id}/questions`, body: { question: text } });
  };
  return { analysis, question, form, analyse, ask };
}
