import { useEffect, useRef } from 'react';
import { useRevalidator } from 'react-router';
import { takePrefilledText } from '#client/form-draft.ts';
import { usePersistedForm } from '#client/persisted-form.ts';
import type { Me } from '#features/accounts/contract.ts';
import type { useRefusal } from '#features/credits/web/use-refusal.tsx';
import { isRunning } from '#features/generations/contract.ts';
import { useToolRun } from '#features/tools/web/use-tool-run.ts';
import { m } from '#messages';
import type { DocumentView, RunView, StartedDocumentRun } from '../contract.ts';
import { analysisRun, analysisRuns } from './analysis-runs.ts';

interface RunsInput {
  document: DocumentView;
  me: Me | null;
  refusing: ReturnType<typeof useRefusal>;
  setCredits: (credits: number | null | undefined) => void;
}

const shownRun = (run: RunView | null | undefined) => run && { generationId: run.id, state: run.state };

export function useDocumentRuns({ document, me, refusing, setCredits }: RunsInput) {
  const { id, name, questions } = document;
  const { revalidate } = useRevalidator();
  const form = usePersistedForm(`pdf-question:${id}`, { question: '' }, me?.id ?? null);
  const { ready, values, change } = form;
  // A question that the person typed before opening a document.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the stored form has loaded
  useEffect(() => {
    const question = ready && values.question === '' && takePrefilledText('pdf-question', me?.id ?? null);
    if (question) change({ question });
  }, [ready]);
  const lastQuestion = useRef('');
  const { refuse: onRefused, clear } = refusing;
  const analysis = useToolRun<StartedDocumentRun>({
    shown: shownRun(document.analysis),
    setCredits,
    onStarted({ generation }) {
      analysisRuns.add(analysisRun(generation.id, document));
      void revalidate();
    },
    onEnd(end) {
      analysisRuns.remove(end.id);
      void revalidate();
    },
    onRefused,
    primary: true,
    messages: { started: m.pdfs_begun, done: m.pdfs_done },
  });
  const open = isRunning(document.analysis?.state) ? document.analysis?.id : undefined;
  const ended = analysis.ended?.id;
  useEffect(() => {
    // Data that was loaded before the run ended may render after it.
    if (open && open !== ended) analysisRuns.add(analysisRun(open, { id, name }));
  }, [open, ended, id, name]);
  const question = useToolRun<StartedDocumentRun>({
    shown: shownRun(questions.findLast(({ state }) => isRunning(state))),
    setCredits,
    onStarted() {
      form.change({ question: '' });
      form.forget();
      void revalidate();
    },
    onEnd(end) {
      const text = lastQuestion.current || questions.find((known) => known.id === end.id)?.question;
      lastQuestion.current = '';
      if (end.state !== 'done' && text && form.values.question.trim() === '') form.change({ question: text });
      void revalidate();
    },
    onRefused,
    messages: { started: m.pdfs_searching, done: m.pdfs_answer_ready },
  });
  const analyze = () => {
    clear();
    analysis.start({ path: `/api/documents/${id}/analysis`, body: {} });
  };
  const ask = (text: string) => {
    clear();
    lastQuestion.current = text;
    question.start({ path: `/api/documents/${id}/questions`, body: { question: text } });
  };
  return { analysis, question, form, analyze, ask };
}

export type DocumentRuns = ReturnType<typeof useDocumentRuns>;
