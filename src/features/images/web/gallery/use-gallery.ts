import { useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { toast } from '#client/page-events.ts';
import { showError } from '#client/show-error.ts';
import { m } from '#messages';
import type { ImageJob, ImagePage, ImageStep } from '../../contract.ts';
import { deleteImages, fetchPage, restoreImages } from '../image-api.ts';
import { focusRestored } from './focus-targets.ts';

/** `failed` are the positions in a running job whose image could not be made. */
export interface ShownJob extends ImageJob {
  failed?: number[];
}

const newestFirst = (a: ImageJob, b: ImageJob) => (a.id < b.id ? 1 : -1);

const withJob = (jobs: ShownJob[], job: ImageJob) =>
  [...jobs.filter(({ id }) => id !== job.id), job].sort(newestFirst);

function withSteps(job: ShownJob, steps: ImageStep[]): ShownJob {
  const pictures = steps.flatMap((step) => ('picture' in step ? [step.picture] : []));
  const failed = steps.flatMap((step) => ('failed' in step ? [step.position] : []));
  return { ...job, failed, pictures, made: pictures.length };
}

export type Gallery = ReturnType<typeof useGallery>;

export function useGallery(first: ImagePage) {
  const [page, setPage] = useState(first);
  const [seen, setSeen] = useState(first);
  const [loading, setLoading] = useState(false);
  if (seen !== first) {
    setSeen(first);
    setPage(first);
  }
  const latest = useRef(page);
  latest.current = page;

  const change = useCallback(
    (jobs: (known: ShownJob[]) => ShownJob[]) => setPage((now) => ({ ...now, jobs: jobs(now.jobs) })),
    [],
  );
  const upsert = useCallback((job: ImageJob) => change((jobs) => withJob(jobs, job)), [change]);
  const applySteps = useCallback(
    (id: string, steps: ImageStep[]) =>
      change((jobs) => jobs.map((job) => (job.id === id ? withSteps(job, steps) : job))),
    [change],
  );
  /** Deletes and offers Undo. A restored item receives the focus unless `onRestored` is given. */
  const remove = useCallback(
    (
      kind: 'job' | 'picture',
      job: ShownJob,
      id: string,
      { onDeleted, onRestored }: { onDeleted?: () => void; onRestored?: () => void } = {},
    ) => {
      const pictures = kind === 'picture' ? job.pictures.filter((picture) => picture.id !== id) : [];
      change((jobs) => {
        const others = jobs.filter((known) => known.id !== job.id);
        return pictures.length > 0 ? withJob(others, { ...job, pictures }) : others;
      });
      const onShown = (restored: ImageJob) => {
        if (onRestored) return onRestored();
        flushSync(() => upsert(restored));
        focusRestored(kind, id)?.focus({ preventScroll: true });
      };
      const undo = () => restoreImages(kind, id).then(onShown, showError);
      deleteImages(kind, id).then(
        () => {
          onDeleted?.();
          toast({
            text: kind === 'picture' ? m.images_deleted() : m.images_request_deleted(),
            action: { label: m.common_undo(), run: () => void undo() },
          });
        },
        (error: unknown) => {
          upsert(job);
          showError(error);
        },
      );
    },
    [change, upsert],
  );
  const loadMore = useCallback((query: { q: string; size: string }) => {
    const { next } = latest.current;
    if (next === null) return;
    setLoading(true);
    fetchPage(query, next)
      .then(({ jobs, next: after }) =>
        setPage((now) => (now.next === next ? { jobs: [...now.jobs, ...jobs], next: after } : now)),
      )
      .catch(showError)
      .finally(() => setLoading(false));
  }, []);
  return { jobs: page.jobs, more: page.next !== null, loading, upsert, applySteps, remove, loadMore };
}
