import { Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import type { RunEnd } from '../../generations/web/use-run.ts';
import type { ImagePage } from '../contract.ts';
import { besidePicture } from './gallery/focus.ts';
import { JobRow } from './gallery/job-row.tsx';
import { type ShownJob, useGallery } from './gallery/use-gallery.ts';
import { jobTitle } from './job-title.ts';
import './gallery/gallery.css';

const Viewer = lazy(() => import('./viewer/viewer.tsx'));

interface JobPageProps {
  first: ImagePage;
  missing: boolean;
  onEnd: (end: RunEnd) => void;
  onAgain: (job: ShownJob) => void;
  /** Nothing of it is left. */
  onGone: () => void;
  /** It has come back after that, by its picture or as a whole. */
  onBack: (what: 'job' | 'picture', id: string) => void;
}

/** One request by itself, at an address that stays. */
export function JobPage({ first, missing, onEnd, onAgain, onGone, onBack }: JobPageProps) {
  const gallery = useGallery(first);
  const [shown, setShown] = useState<string | null>(null);
  const [job] = gallery.jobs;
  if (!job)
    return (
      <main id="main" className="wrap message-page">
        <h1 className="h1">{missing ? 'These images do not exist or are not yours' : 'Deleted'}</h1>
        <p>
          <Link className="btn btn-secondary" to="/tools/image">
            All images
          </Link>
        </p>
      </main>
    );
  const forget = (what: 'job' | 'picture', id: string) => {
    const isLast = what === 'job' || job.pictures.length === 1;
    if (!isLast) besidePicture(job.id, id)?.focus({ preventScroll: true });
    gallery.remove(what, job, id, isLast ? { gone: onGone, back: () => onBack(what, id) } : {});
  };
  const running = job.state === 'queued' || job.state === 'running';
  return (
    <main id="main" className="wrap image-page image-alone">
      <header className="image-alone-head">
        <div className="min-w-0">
          <p className="eyebrow">
            <Link to="/tools/image">Image Generator</Link>
          </p>
          <h1 className="h2">{jobTitle(job.prompt)}</h1>
        </div>
        {running || job.pictures.length === 0 ? null : (
          <button
            type="button"
            className="btn btn-ghost btn-icon"
            aria-label={job.pictures.length === 1 ? 'Delete the image' : 'Delete all of these images'}
            title="Delete"
            onClick={() => forget('job', job.id)}
          >
            <Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
        )}
      </header>
      <JobRow
        large
        job={job}
        gallery={gallery}
        onEnd={onEnd}
        onOpen={({ id }) => setShown(id)}
        onAgain={onAgain}
        onDelete={(_, { id }) => forget('picture', id)}
        onForget={({ id }) => forget('job', id)}
      />
      {shown ? (
        <Suspense fallback={null}>
          <Viewer
            jobs={gallery.jobs}
            shown={shown}
            onShow={setShown}
            onClose={() => setShown(null)}
            onAgain={onAgain}
          />
        </Suspense>
      ) : null}
    </main>
  );
}
