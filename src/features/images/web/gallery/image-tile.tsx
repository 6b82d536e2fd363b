import { Check, Copy, Download, RotateCcw, Trash2 } from 'lucide-react';
import { useClipboard } from '#client/use-clipboard.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { type ImageSize, type PictureView, pictureUrl, previewWidths } from '../../contract.ts';
import type { ShownJob } from './use-gallery.ts';

export interface TileActions {
  onOpen: (picture: PictureView) => void;
  onAgain: (job: ShownJob) => void;
  onDelete: (job: ShownJob, picture: PictureView) => void;
}

const sources = ({ id, width }: PictureView) =>
  [
    ...previewWidths.filter((each) => each < width).map((each) => `${pictureUrl(id, each)} ${each}w`),
    `${width <= 640 ? pictureUrl(id, 640) : pictureUrl(id)} ${width}w`,
  ].join(', ');

export const frameClass = (size: ImageSize) =>
  `block w-full cursor-zoom-in overflow-hidden rounded-sm border border-line bg-sunken p-0 ${size === '768x512' ? 'aspect-3/2' : 'aspect-square'}`;

interface ImageTileProps extends TileActions {
  job: ShownJob;
  picture: PictureView;
  at: number;
  count: number;
  large: boolean;
}

export function ImageTile({ job, picture, at, count, large, onOpen, onAgain, onDelete }: ImageTileProps) {
  const { copied, copy } = useClipboard();
  const { id, width, height } = picture;
  const one = count === 1;
  const place = { at, count };
  return (
    <li className="@container grid min-w-0 content-start gap-1">
      <button
        type="button"
        className={frameClass(job.size)}
        aria-label={
          one ? m.images_open_one({ prompt: job.prompt }) : m.images_open({ ...place, prompt: job.prompt })
        }
        onClick={() => onOpen(picture)}
      >
        <img
          src={pictureUrl(id, 640)}
          srcSet={sources(picture)}
          sizes={large ? '(width < 48rem) 92vw, 40rem' : '(width < 60rem) 44vw, 16rem'}
          width={width}
          height={height}
          alt={job.prompt}
          loading="lazy"
          decoding="async"
          className="block size-full object-cover"
        />
      </button>
      <div className="-ms-2.5 flex flex-wrap items-center">
        <Button
          look="ghost"
          className="me-auto font-normal @max-[15rem]:me-0 @max-[15rem]:w-(--hit) @max-[15rem]:gap-0 @max-[15rem]:p-0 @max-[15rem]:text-[0]"
          href={`${pictureUrl(id)}?download`}
          download
          aria-label={one ? m.images_download_one() : m.images_download_at(place)}
        >
          <Download size={16} strokeWidth={1.75} aria-hidden="true" />
          {m.common_download()}
        </Button>
        <IconButton
          label={copied ? m.copied() : one ? m.images_copy() : m.images_copy_at(place)}
          title={m.images_copy()}
          Icon={copied ? Check : Copy}
          onClick={() => copy(job.prompt)}
        />
        <IconButton
          label={one ? m.images_use_again() : m.images_use_at(place)}
          title={m.images_use_again()}
          onClick={() => onAgain(job)}
          Icon={RotateCcw}
        />
        <IconButton
          label={one ? m.images_delete() : m.images_delete_at(place)}
          title={m.common_delete()}
          data-delete={id}
          onClick={() => onDelete(job, picture)}
          Icon={Trash2}
        />
      </div>
    </li>
  );
}
