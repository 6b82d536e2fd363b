import { lazy, type RefObject, Suspense, useState } from 'react';
import type { RunEnd } from '../../../generations/web/use-run.ts';
import type { PictureView } from '../../contract.ts';
import { Filters, type Query } from './filters.tsx';
import { besideJob, besidePicture } from './focus.ts';
import { JobRow } from './job-row.tsx';
import type { Gallery, ShownJob } from './use-gallery.ts';
import './gallery.css';

const Viewer = lazy(() => import('../viewer/viewer.tsx'));

interface ImageGalleryProps {
  gallery: Gallery;
  query: Query;
  heading: RefObject<HTMLHeadingElement | null>;
  onEnd: (end: RunEnd) => void;
  onAgain: (job: ShownJob) => void;
}

function emptyText({ q, size }: Query): string {
  if (q || size) return 'No image of yours matches. Try other words, or all sizes.';
  return 'Nothing here yet. What you generate is kept here, newest first, with its prompt.';
}

/** Everything that the person has made: newest first, with search, more pages and a viewer. */
export function ImageGallery({ gallery, query, heading, onEnd, onAgain }: ImageGalleryProps) {
  const [shown, setShown] = useState<string | null>(null);
  const { jobs, more, loading } = gallery;
  const filtered = query.q !== '' || query.size !== '';
  const focusOn = (next: HTMLElement | null) => (next ?? heading.current)?.focus({ preventScroll: true });
  const actions = {
    onOpen: ({ id }: PictureView) => setShown(id),
    onAgain,
    onDelete: (job: ShownJob, picture: PictureView) => {
      focusOn(besidePicture(job.id, picture.id));
      gallery.remove('picture', job, picture.id);
    },
    onForget: (job: ShownJob) => {
      focusOn(besideJob(job.id));
      gallery.remove('job', job, job.id);
    },
  };
  const found = filtered ? `${jobs.length}${more ? ' or more' : ''} found` : '';
  return (
    <section className="image-gallery" aria-labelledby="image-gallery">
      <div className="image-gallery-head">
        <h2 className="h3" id="image-gallery" ref={heading} tabIndex={-1}>
          Your images
        </h2>
        {jobs.length > 0 || filtered ? <Filters query={query} found={found} /> : null}
      </div>
      {jobs.length === 0 ? <p className="image-empty muted">{emptyText(query)}</p> : null}
      {jobs.map((job) => (
        <JobRow key={job.id} job={job} gallery={gallery} onEnd={onEnd} {...actions} />
      ))}
      {more ? (
        <button
          type="button"
          className="btn btn-secondary image-more"
          aria-busy={loading || undefined}
          onClick={() => gallery.loadMore(query)}
        >
          Show older images
        </button>
      ) : null}
      {shown ? (
        <Suspense fallback={null}>
          <Viewer
            jobs={jobs}
            shown={shown}
            onShow={setShown}
            onClose={() => setShown(null)}
            onAgain={onAgain}
          />
        </Suspense>
      ) : null}
    </section>
  );
}
