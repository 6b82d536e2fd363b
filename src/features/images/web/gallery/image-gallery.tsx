import { lazy, type RefObject, Suspense, useState } from 'react';
import type { RunEnd } from '#features/generations/web/use-run.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import type { PictureView } from '../../contract.ts';
import { useImageViewer } from '../use-image-viewer.tsx';
import { focusAfterJob, focusAfterPicture } from './focus-targets.ts';
import { GalleryFilters, type GalleryQuery } from './gallery-filters.tsx';
import { JobRow } from './job-row.tsx';
import { SamplePrompts, type UsePrompt } from './sample-prompts.tsx';
import type { Gallery, ShownJob } from './use-gallery.ts';

const PicturePicker = lazy(() => import('./picture-picker.tsx'));

interface ImageGalleryProps {
  gallery: Gallery;
  query: GalleryQuery;
  heading: RefObject<HTMLHeadingElement | null>;
  onEnd: (end: RunEnd) => void;
  onAgain: (job: ShownJob) => void;
  onSample: UsePrompt;
}

export function ImageGallery({ gallery, query, heading, onEnd, onAgain, onSample }: ImageGalleryProps) {
  const { jobs, more, loading } = gallery;
  const [picking, setPicking] = useState(false);
  const viewer = useImageViewer(jobs, onAgain);
  const filtered = query.q !== '' || query.size !== '';
  const focusOn = (next: HTMLElement | null) => (next ?? heading.current)?.focus({ preventScroll: true });
  const actions = {
    onOpen: viewer.open,
    onAgain,
    onDeletePicture: (job: ShownJob, picture: PictureView) => {
      focusOn(focusAfterPicture(job.id, picture.id));
      gallery.remove('picture', job, picture.id);
    },
    onDeleteJob: (job: ShownJob) => {
      focusOn(focusAfterJob(job.id));
      gallery.remove('job', job, job.id);
    },
  };
  const results = more ? m.images_list_found_more : m.common_results;
  const found = filtered ? results({ count: jobs.length }) : '';
  return (
    <section className="grid min-w-0" aria-labelledby="image-gallery">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-fg pb-4">
        <h2 className="h3 focus-visible:outline-none" id="image-gallery" ref={heading} tabIndex={-1}>
          {m.images_list()}
        </h2>
        {jobs.some(({ pictures }) => pictures.length > 1) || jobs.length > 1 ? (
          <Button className="me-auto" onClick={() => setPicking(true)}>
            {m.images_share()}
          </Button>
        ) : null}
        {jobs.length > 0 || filtered ? <GalleryFilters query={query} found={found} /> : null}
      </div>
      {jobs.length > 0 ? null : filtered ? (
        <p className="muted py-6">{m.images_list_none()}</p>
      ) : (
        <SamplePrompts onUse={onSample} />
      )}
      {jobs.map((job) => (
        <JobRow key={job.id} job={job} gallery={gallery} onEnd={onEnd} {...actions} />
      ))}
      {more ? (
        <Button
          className="mt-6 justify-self-center"
          aria-busy={loading || undefined}
          onClick={() => gallery.loadMore(query)}
        >
          {m.images_list_older()}
        </Button>
      ) : null}
      {viewer.viewer}
      {picking ? (
        <Suspense>
          <PicturePicker jobs={jobs} onClose={() => setPicking(false)} />
        </Suspense>
      ) : null}
    </section>
  );
}
