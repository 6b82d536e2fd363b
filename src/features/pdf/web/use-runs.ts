import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { announce } from '../../../client/announce.ts';
import { useKeptForm } from '../../../client/kept-form.ts';
import { toast } from '../../../client/page-events.ts';
import type { Me } from '../../accounts/contract.ts';
import type { useRefusal } from '../../credits/web/use-refusal.tsx';
import { type RunControl, useRun } from '../../generations/web/use-run.ts';
import type { DocumentView, StartedDocumentRun } from '../contract.ts';

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
  { open, done, onStarted }: { open: string | undefined; done: string; onStarted?: () => void },
): RunControl {
  const { revalidate } = useRevalidator();
  const run = useRun<StartedDocumentRun>({
    onStarted: ({ credits }) => {
      onCredits(credits);
      onStarted?.();
      void revalidate();
    },
    onEnd: (end) => {
      onCredits(end.credits);
      void revalidate();
      if (end.state === 'done') announce(done);
      else if (end.error) toast({ title: 'Error', text: end.error.message, kind: 'danger' });
    },
    onRefused: refusing.refuse,
  });
  const { follow } = run;
  useEffect(() => {
    if (open) follow(open);
  }, [open, follow]);
  return run;
}

/** The two runs of a document: its analysis, and the answer to a question. Each is taken up again after a reload. */
export function useRuns(input: RunsInput) {
  const { document } = input;
  const form = useKeptForm(`pdf-question:${document.id}`, { question: '' }, input.me?.id ?? null);
  const analysis = useDocumentRun(input, {
    open: isOpen(document.analysis?.state) ? document.analysis?.id : undefined,
    done: 'The analysis is complete.',
  });
  const question = useDocumentRun(input, {
    open: document.questions.findLast(({ state }) => isOpen(state))?.id,
    done: 'The answer is there.',
    onStarted: () => {
      form.change({ question: '' });
      form.forget();
    },
  });
  return { analysis, question, form };
}
