import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { announce } from '#client/announce.ts';
import { isRunning } from '#features/generations/contract.ts';
import type { RunEnd } from '#features/generations/web/use-run.ts';
import { ElapsedTime } from '#features/tools/web/elapsed-time.tsx';
import { LazyNotifyOffer } from '#features/tools/web/lazy-notify-offer.tsx';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { imageSizes } from '../../contract.ts';
import { fetchJob, stopImages } from '../image-api.ts';
import { imageRun, imageRuns, imageSteps } from '../image-runs.ts';
import { jobTitle } from '../job-title.ts';
import { frameClass, ImageTile, type TileActions } from './image-tile.tsx';
import type { Gallery, ShownJob } from './use-gallery.ts';

const day = { dateStyle: 'medium' } as const;

function shortfall({ state, made, count, creditsCharged, error }: ShownJob): string | null {
  if (made === count) return null;
  if (made > 0) {
    if (state === 'interrupted') return m.images_short_interrupted({ made, count });
    const charged = creditsCharged > 0 ? ` ${m.images_short_charged({ credits: creditsCharged, made })}` : '';
    if (state === 'stopped') return m.images_short_stopped({ made, count }) + charged;
    return m.images_short_failed({ missing: count - made, count }) + charged;
  }
  if (state === 'stopped') return m.images_none_stopped();
  if (state === 'interrupted') return m.images_none_interrupted();
  return error?.message ?? m.images_none_made();
}

/** Fetches the job again when it ends, so that the page shows what is stored. */
function useProgress(job: ShownJob, gallery: Gallery, onEnd: (end: RunEnd) => void) {
  const running = isRunning(job.state);
  const { id } = job;
  const { applySteps, upsert } = gallery;
  useEffect(() => {
    if (!running) return;
    const refresh = () => fetchJob(id).then(upsert, () => undefined);
    return imageRuns.follow(imageRun(id), {
      onText: (text) => applySteps(id, imageSteps(text)),
      onLost: () => void refresh(),
      onEnd: (end) => {
        onEnd(end);
        void fetchJob(id).then(
          (ended) => {
            upsert(ended);
            announce(ended.made > 0 ? m.images_ready_count({ count: ended.made }) : (shortfall(ended) ?? ''));
          },
          () => undefined,
        );
      },
    });
  }, [running, id, applySteps, upsert, onEnd]);
}

function Facts({ job }: { job: ShownJob }) {
  const size = imageSizes.find(({ value }) => value === job.size);
  return (
    <p className="mt-0.5 flex flex-wrap gap-x-3 text-xs text-fg-muted">
      <span>{size?.label}</span>
      <span>{size?.description()}</span>
      <LocalTime iso={job.createdAt} format={day} />
      {job.creditsCharged > 0 ? <span>{m.common_credits({ count: job.creditsCharged })}</span> : null}
      {job.imported ? <span>{m.images_imported()}</span> : null}
    </p>
  );
}

function EmptyTile({ job, position }: { job: ShownJob; position: number }) {
  const failed = job.failed?.includes(position) ?? false;
  return (
    <li className="min-w-0">
      <div
        className={`${frameClass(job.size)} grid cursor-default place-content-center justify-items-center gap-2 text-center text-sm ${failed ? 'text-danger' : 'text-fg-muted'}`}
      >
        {failed ? (
          <span>{m.images_tile_failed()}</span>
        ) : (
          <>
            <span className="spinner" aria-hidden="true" />
            <span>
              {m.images_generating()} <ElapsedTime since={job.createdAt} />
            </span>
          </>
        )}
      </div>
    </li>
  );
}

const tilesOf = ({ count, pictures }: ShownJob) =>
  Array.from(
    { length: count },
    (_, position) => pictures.find((picture) => picture.position === position) ?? position,
  );

interface JobRowProps extends TileActions {
  job: ShownJob;
  gallery: Gallery;
  onEnd: (end: RunEnd) => void;
  onDeleteJob: (job: ShownJob) => void;
  /** On the page of this job. */
  large?: boolean;
}

export function JobRow({ job, gallery, onEnd, onDeleteJob, large = false, ...actions }: JobRowProps) {
  const [stopping, setStopping] = useState(false);
  useProgress(job, gallery, onEnd);
  const running = isRunning(job.state);
  const note = running ? null : shortfall(job);
  const tiles = running ? tilesOf(job) : job.pictures;
  const stop = () => {
    setStopping(true);
    stopImages(job.id).catch(() => setStopping(false));
  };
  return (
    <article
      className="grid min-w-0 gap-4 border-line py-5 [&+&]:border-t"
      id={`images-${job.id}`}
      aria-label={m.images_of({ prompt: job.prompt.slice(0, 80) })}
    >
      <header className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          {large ? (
            // The page's heading already shows a short prompt in full.
            job.prompt === jobTitle(job.prompt) ? null : (
              <p className="wrap-anywhere">{job.prompt}</p>
            )
          ) : (
            <h3 className="wrap-anywhere">
              <Link className="line-clamp-2 underline-offset-4 hover:underline" to={`/tools/image/${job.id}`}>
                {job.prompt}
              </Link>
            </h3>
          )}
          <Facts job={job} />
        </div>
        {running ? (
          <Button aria-busy={stopping || undefined} onClick={stop}>
            {m.common_cancel()}
          </Button>
        ) : null}
      </header>
      {note ? (
        <div className="grid justify-items-start gap-3">
          <p className={job.made > 0 || job.state === 'stopped' ? 'notice' : 'notice notice-danger'}>
            {note}
          </p>
          {job.pictures.length === 0 ? (
            <div className="row">
              <Button onClick={() => actions.onAgain(job)}>{m.images_use_again()}</Button>
              <Button variant="ghost" onClick={() => onDeleteJob(job)}>
                {m.common_delete()}
              </Button>
            </div>
          ) : null}
        </div>
      ) : null}
      <ul
        className={`grid gap-4 empty:hidden ${
          large
            ? 'grid-cols-[repeat(auto-fit,minmax(min(100%,20rem),1fr))] *:max-w-160'
            : `grid-cols-2 ${tiles.length === 4 ? 'xl:grid-cols-4' : 'xl:grid-cols-3'}`
        }`}
      >
        {tiles.map((picture, index) =>
          typeof picture === 'number' ? (
            <EmptyTile key={picture} job={job} position={picture} />
          ) : (
            <ImageTile
              key={picture.id}
              job={job}
              picture={picture}
              at={index + 1}
              count={tiles.length}
              large={large}
              {...actions}
            />
          ),
        )}
      </ul>
      {running ? (
        <div className="justify-self-start empty:hidden">
          <LazyNotifyOffer />
        </div>
      ) : null}
    </article>
  );
}
