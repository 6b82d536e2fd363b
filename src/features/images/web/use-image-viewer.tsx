import { lazy, Suspense, useState } from 'react';
import type { PictureView } from '../contract.ts';
import type { ShownJob } from './gallery/use-gallery.ts';

const ImageViewer = lazy(() => import('./image-viewer.tsx'));

export function useImageViewer(jobs: ShownJob[], onAgain: (job: ShownJob) => void) {
  const [shown, setShown] = useState<string | null>(null);
  const viewer = shown ? (
    <Suspense fallback={null}>
      <ImageViewer
        jobs={jobs}
        shown={shown}
        onShow={setShown}
        onClose={() => setShown(null)}
        onAgain={onAgain}
      />
    </Suspense>
  ) : null;
  return { open: ({ id }: PictureView) => setShown(id), viewer };
}
