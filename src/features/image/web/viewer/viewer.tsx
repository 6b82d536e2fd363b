import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Modal } from '../../../../ui/modal.tsx';
import { pictureUrl } from '../../contract.ts';
import type { ShownJob } from '../gallery/use-gallery.ts';
import './viewer.css';

interface ViewerProps {
  jobs: ShownJob[];
  /** Id of the picture that is shown. */
  shown: string;
  onShow: (id: string) => void;
  onClose: () => void;
  onAgain: (job: ShownJob) => void;
}

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/** A picture as large as the window allows, with its facts; arrow keys lead through all that the page shows. */
export default function Viewer({ jobs, shown, onShow, onClose, onAgain }: ViewerProps) {
  const all = jobs.flatMap((job) => job.pictures.map((picture) => ({ job, picture })));
  const at = all.findIndex(({ picture }) => picture.id === shown);
  const here = all[at];
  const move = (by: number) => {
    const next = all[at + by];
    if (next) onShow(next.picture.id);
  };
  const latest = useRef(move);
  latest.current = move;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      latest.current(by);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  useEffect(() => {
    if (!here) onClose();
  }, [here, onClose]);
  if (!here) return null;
  const { job, picture } = here;
  return (
    <Modal title={`Image ${at + 1} of ${all.length}`} className="image-viewer" onClose={onClose}>
      {(close) => (
        <div className="image-viewer-body">
          <div className="image-viewer-stage">
            <button
              type="button"
              className="btn btn-secondary btn-icon"
              aria-label="Previous image"
              aria-disabled={at === 0 || undefined}
              onClick={() => move(-1)}
            >
              <ChevronLeft size={20} strokeWidth={1.75} aria-hidden="true" />
            </button>
            <img
              key={picture.id}
              src={pictureUrl(picture.id)}
              alt={job.prompt}
              width={picture.width}
              height={picture.height}
            />
            <button
              type="button"
              className="btn btn-secondary btn-icon"
              aria-label="Next image"
              aria-disabled={at === all.length - 1 || undefined}
              onClick={() => move(1)}
            >
              <ChevronRight size={20} strokeWidth={1.75} aria-hidden="true" />
            </button>
          </div>
          <div className="image-viewer-facts" aria-live="polite">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard */}
            <section className="image-viewer-prompt" tabIndex={0} aria-label="Prompt">
              {job.prompt}
            </section>
            <dl>
              <div>
                <dt>Size</dt>
                <dd>
                  {picture.width} x {picture.height}
                </dd>
              </div>
              <div>
                <dt>Made</dt>
                <dd>
                  <time dateTime={job.createdAt}>{moment.format(new Date(job.createdAt))}</time>
                </dd>
              </div>
              <div>
                <dt>Model</dt>
                <dd>{job.model}</dd>
              </div>
            </dl>
            <div className="row">
              <a className="btn btn-primary" href={`${pictureUrl(picture.id)}?download`} download>
                Download
              </a>
              <button
                type="button"
                className="btn btn-secondary"
                onClick={() => {
                  close();
                  onAgain(job);
                }}
              >
                Use again
              </button>
            </div>
          </div>
        </div>
      )}
    </Modal>
  );
}
