import { useState } from 'react';
import { shareLimits } from '#features/shares/contract.ts';
import { openShare } from '#features/shares/web/open-share.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { pictureUrl } from '../../contract.ts';
import { jobTitle } from '../job-title.ts';
import type { ShownJob } from './use-gallery.ts';

/** Lets the person choose which of the loaded images to share on a page. */
export default function PicturePicker({ jobs, onClose }: { jobs: ShownJob[]; onClose: () => void }) {
  const [chosen, setChosen] = useState<string[]>([]);
  const limit = shareLimits.pictures;
  const all = jobs.flatMap(({ prompt, pictures }) => pictures.map((picture) => ({ ...picture, prompt })));
  const toggle = (id: string, on: boolean) =>
    setChosen((now) => (on ? [...now, id] : now.filter((each) => each !== id)));
  return (
    <Dialog title={m.images_share()} className="dialog-wide" onClose={onClose}>
      {(close) => (
        <div className="dialog-body grid gap-4">
          <p className="muted text-sm">{m.images_share_hint({ most: limit })}</p>
          <ul className="grid max-h-[50dvh] grid-cols-3 gap-3 overflow-y-auto p-1 sm:grid-cols-4">
            {all.map(({ id, width, height, prompt }, at) => (
              <li key={id}>
                <label className="relative block cursor-pointer">
                  <input
                    className="absolute start-2 top-2 size-[18px] accent-(--primary)"
                    type="checkbox"
                    aria-label={m.images_viewer_title({ at: at + 1, count: all.length })}
                    aria-describedby={`${id}-prompt`}
                    checked={chosen.includes(id)}
                    disabled={chosen.length >= limit && !chosen.includes(id)}
                    onChange={(event) => toggle(id, event.currentTarget.checked)}
                  />
                  <img
                    src={pictureUrl(id, 320)}
                    alt=""
                    width={width}
                    height={height}
                    loading="lazy"
                    className="aspect-square w-full rounded-sm border border-line bg-sunken object-cover"
                  />
                  <span id={`${id}-prompt`} hidden>
                    {jobTitle(prompt)}
                  </span>
                </label>
              </li>
            ))}
          </ul>
          <Button
            variant="primary"
            className="justify-self-start"
            disabled={chosen.length === 0}
            onClick={() => {
              close();
              void openShare({ kind: 'images', pictureIds: chosen });
            }}
          >
            {m.images_share_chosen({ count: chosen.length })}
          </Button>
        </div>
      )}
    </Dialog>
  );
}
