import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { announce } from '../../../../client/announce.ts';
import { inCredits } from '../../../credits/contract.ts';
import type { RunEnd } from '../../../generations/web/use-run.ts';
import { imageSizes } from '../../contract.ts';
import { fetchJob, stopImages } from '../api.ts';
import { jobTitle } from '../job-title.ts';
import { watchJob } from '../running/running.ts';
import { Elapsed } from './elapsed.tsx';
import { Tile, type TileActions } from './tile.tsx';
import type { Gallery, ShownJob } from './use-gallery.ts';

const day = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

const isRunning = ({ state }: ShownJob) => state === 'queued' || state === 'running';

const images = (count: number) => `${count} ${count === 1 ? 'image' : 'images'}`;

/** What is said of a job that brought fewer pictures than were asked for; null for one that brought all. */
function shortfall({ state, made, count, creditsCharged, error }: ShownJob): string | null {
  if (made === count) return null;
  if (made > 0) {
    const charged =
      creditsCharged > 0 ? ` You were charged ${inCredits(creditsCharged)}, for ${images(made)}.` : '';
    if (state === 'stopped') return `Stopped after ${images(made)} of ${count}.${charged}`;
    if (state === 'interrupted')
      return `Interrupted after ${images(made)} of ${count}. You were not charged.`;
    return `${images(count - made)} of ${count} could not be made.${charged}`;
  }
  if (state === 'stopped') return 'Stopped before an image was made. You were not charged.';
  if (state === 'interrupted') return 'Interrupted before an image was made. You were not charged.';
  return error?.message ?? 'No image was made. You were not charged.';
}

/** Follows a running job; its end is read once more from the server, so that the page shows what is stored. */
function useProgress(job: ShownJob, gallery: Gallery, onEnd: (end: RunEnd) => void) {
  const running = isRunning(job);
  const { id } = job;
  const { step, put } = gallery;
  useEffect(() => {
    if (!running) return;
    const refresh = () => fetchJob(id).then(put, () => undefined);
    return watchJob(id, {
      onSteps: (steps) => step(id, steps),
      onLost: () => void refresh(),
      onEnd: (end) => {
        onEnd(end);
        void fetchJob(id).then(
          (ended) => {
            put(ended);
            announce(ended.made > 0 ? `${images(ended.made)} ready.` : (shortfall(ended) ?? ''));
          },
          () => undefined,
        );
      },
    });
  }, [running, id, step, put, onEnd]);
}

function Facts({ job }: { job: ShownJob }) {
  const label = imageSizes.find(({ value }) => value === job.size)?.description;
  return (
    <p className="image-facts">
      <span>{job.size}</span>
      <span>{label}</span>
      <time dateTime={job.createdAt}>{day.format(new Date(job.createdAt))}</time>
      {job.creditsCharged > 0 ? <span>{inCredits(job.creditsCharged)}</span> : null}
    </p>
  );
}

/** A place whose picture is still being made, or could not be. */
function EmptyTile({ job, position }: { job: ShownJob; position: number }) {
  const failed = job.failed?.includes(position) ?? false;
  return (
    <li className="image-tile">
      <div className="image-frame image-waiting" data-size={job.size} data-failed={failed || undefined}>
        {failed ? (
          <span>Could not be made</span>
        ) : (
          <>
            <span className="spinner" aria-hidden="true" />
            <span>
              Generating <Elapsed since={job.createdAt} />
            </span>
          </>
        )}
      </div>
    </li>
  );
}

/** For each place of a running job its picture, or its number while there is none. */
const placesOf = ({ count, pictures }: ShownJob) =>
  Array.from(
    { length: count },
    (_, position) => pictures.find((picture) => picture.position === position) ?? position,
  );

interface JobRowProps extends TileActions {
  job: ShownJob;
  gallery: Gallery;
  onEnd: (end: RunEnd) => void;
  onForget: (job: ShownJob) => void;
  /** The page of this job alone. */
  large?: boolean;
}

/** One request: its prompt, its facts, and a tile for each picture, from the first moment on. */
export function JobRow({ job, gallery, onEnd, onForget, large = false, ...actions }: JobRowProps) {
  const [stopping, setStopping] = useState(false);
  useProgress(job, gallery, onEnd);
  const running = isRunning(job);
  const note = running ? null : shortfall(job);
  const tiles = running ? placesOf(job) : job.pictures;
  const stop = () => {
    setStopping(true);
    stopImages(job.id).catch(() => setStopping(false));
  };
  return (
    <article
      className="image-job"
      id={`images-${job.id}`}
      aria-label={`Images of ${job.prompt.slice(0, 80)}`}
      data-large={large || undefined}
    >
      <header className="image-job-head">
        <div className="min-w-0">
          {large ? (
            // The page's heading has a short one.
            job.prompt === jobTitle(job.prompt) ? null : (
              <p className="image-prompt">{job.prompt}</p>
            )
          ) : (
            <h3 className="image-prompt">
              <Link to={`/tools/image/${job.id}`}>{job.prompt}</Link>
            </h3>
          )}
          <Facts job={job} />
        </div>
        {running ? (
          <button
            type="button"
            className="btn btn-secondary"
            aria-busy={stopping || undefined}
            onClick={stop}
          >
            Cancel
          </button>
        ) : null}
      </header>
      {note ? (
        <div className="image-note">
          <p className={job.made > 0 || job.state === 'stopped' ? 'notice' : 'notice notice-danger'}>
            {note}
          </p>
          {job.pictures.length === 0 ? (
            <div className="row">
              <button type="button" className="btn btn-secondary" onClick={() => actions.onAgain(job)}>
                Use again
              </button>
              <button type="button" className="btn btn-ghost" onClick={() => onForget(job)}>
                Delete
              </button>
            </div>
          ) : null}
        </div>
      ) : null}
      <ul className="image-tiles" data-count={tiles.length}>
        {tiles.map((picture, index) =>
          typeof picture === 'number' ? (
            <EmptyTile key={picture} job={job} position={picture} />
          ) : (
            <Tile
              key={picture.id}
              job={job}
              picture={picture}
              name={tiles.length > 1 ? `image ${index + 1} of ${tiles.length}` : 'image'}
              large={large}
              {...actions}
            />
          ),
        )}
      </ul>
    </article>
  );
}
