import { lazy, Suspense, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { RunEnd } from '../../generations/web/use-run.ts';
import type { ImagePage } from '../contract.ts';
import { JobRow } from './gallery/job-row.tsx';
import { type ShownJob, useGallery } from './gallery/use-gallery.ts';
import './gallery/gallery.css';

const Viewer = lazy(() => import('./viewer/viewer.tsx'));

interface JobPageProps {
  first: ImagePage;
  missing: boolean;
  onEnd: (end: RunEnd) => void;
  onAgain: (job: ShownJob) => void;
}

/** One request by itself, at an address that stays. */
export function JobPage({ first, missing, onEnd, onAgain }: JobPageProps) {
  const gallery = useGallery(first);
  const [shown, setShown] = useState<string | null>(null);
  const navigate = useNavigate();
  const [job] = gallery.jobs;
  const back = (
    <Link className="btn btn-secondary" to="/tools/image">
      All images
    </Link>
  );
  if (!job)
    return (
      <main id="main" className="wrap message-page">
        <h1 className="h1">{missing ? 'These images do not exist or are not yours' : 'Deleted'}</h1>
        <p>{back}</p>
      </main>
    );
  const forget = (what: 'job' | 'picture', id: string) => {
    gallery.remove(what, job, id);
    if (what === 'job' || job.pictures.length === 1) void navigate('/tools/image');
  };
  return (
    <main id="main" className="wrap image-page image-alone">
      <p>{back}</p>
      <h1 className="h2">{job.count === 1 ? 'One image' : `${job.count} images`}</h1>
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
