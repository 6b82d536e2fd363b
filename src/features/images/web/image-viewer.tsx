import { ChevronLeft, ChevronRight, MessageSquare } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { ShareItem } from '#features/shares/web/share-item.tsx';
import { HandOverItems } from '#features/tools/web/hand-over-items.tsx';
import { m } from '#messages';
import { slugOf } from '#shared/slug.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Menu, MenuItem } from '#ui/menu.tsx';
import { pictureUrl } from '../contract.ts';
import type { ShownJob } from './gallery/use-gallery.ts';

async function attach(id: string, prompt: string): Promise<void> {
  const { attachPicture } = await import('#features/tools/web/hand-over.ts');
  await attachPicture(pictureUrl(id), `${slugOf(prompt, 'image')}.png`);
}

interface ImageViewerProps {
  jobs: ShownJob[];
  shown: string;
  onShow: (id: string) => void;
  onClose: () => void;
  onAgain: (job: ShownJob) => void;
}

const moment = { dateStyle: 'medium', timeStyle: 'short' } as const;

export default function ImageViewer({ jobs, shown, onShow, onClose, onAgain }: ImageViewerProps) {
  const all = jobs.flatMap((job) => job.pictures.map((picture) => ({ job, picture })));
  const at = all.findIndex(({ picture }) => picture.id === shown);
  const current = all[at];
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
    if (!current) onClose();
  }, [current, onClose]);
  if (!current) return null;
  const { job, picture } = current;
  const several = all.length > 1;
  return (
    <Dialog
      title={m.images_viewer_title({ at: at + 1, count: all.length })}
      className="dialog-wide md:w-[min(72rem,calc(100vw-2rem))]"
      onClose={onClose}
    >
      {(close) => (
        <div className="grid gap-6 px-6 pt-4 pb-6 lg:grid-cols-[minmax(0,1fr)_17rem] lg:items-start">
          <div
            className={
              several
                ? 'grid grid-cols-2 items-center gap-3 md:grid-cols-[auto_minmax(0,1fr)_auto] md:justify-items-center'
                : 'grid justify-items-center'
            }
          >
            {several ? (
              <IconButton
                variant="secondary"
                label={m.images_previous()}
                aria-disabled={at === 0 || undefined}
                onClick={() => move(-1)}
                Icon={ChevronLeft}
                iconSize={20}
              />
            ) : null}
            <img
              key={picture.id}
              src={pictureUrl(picture.id)}
              alt={job.prompt}
              width={picture.width}
              height={picture.height}
              className="h-auto max-h-[60dvh] w-auto max-w-full rounded-sm bg-sunken max-md:order-first max-md:col-span-2 max-md:justify-self-center md:max-h-[calc(100dvh-11rem)]"
            />
            {several ? (
              <IconButton
                variant="secondary"
                className="justify-self-end"
                label={m.images_next()}
                aria-disabled={at === all.length - 1 || undefined}
                onClick={() => move(1)}
                Icon={ChevronRight}
                iconSize={20}
              />
            ) : null}
          </div>
          <div className="grid gap-4" aria-live="polite">
            <section
              className="max-h-56 overflow-y-auto whitespace-pre-wrap wrap-anywhere"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
              tabIndex={0}
              aria-label={m.common_prompt()}
            >
              {job.prompt}
            </section>
            <dl className="grid gap-2 border-y border-line py-3 text-sm [&_dd]:text-end [&_dd]:wrap-anywhere [&_dt]:text-fg-muted [&>div]:flex [&>div]:justify-between [&>div]:gap-4">
              <div>
                <dt>{m.images_size()}</dt>
                <dd>{m.images_pixels({ width: picture.width, height: picture.height })}</dd>
              </div>
              <div>
                <dt>{m.images_made()}</dt>
                <dd>
                  <LocalTime iso={job.createdAt} format={moment} />
                </dd>
              </div>
              <div>
                <dt>{m.images_model()}</dt>
                <dd>{job.model}</dd>
              </div>
            </dl>
            <div className="row">
              <Button variant="primary" href={`${pictureUrl(picture.id)}?download`} download>
                {m.common_download()}
              </Button>
              <Button
                onClick={() => {
                  close();
                  onAgain(job);
                }}
              >
                {m.images_use_again()}
              </Button>
              <Menu button={{ children: m.handover_use() }}>
                <ShareItem shared={{ kind: 'images', pictureIds: [picture.id] }} before={close} />
                <MenuItem onClick={() => void attach(picture.id, job.prompt)}>
                  <MessageSquare size={16} aria-hidden="true" />
                  {m.handover_attach()}
                </MenuItem>
                <HandOverItems to={['script', 'writer']} text={() => job.prompt} />
              </Menu>
            </div>
          </div>
        </div>
      )}
    </Dialog>
  );
}
