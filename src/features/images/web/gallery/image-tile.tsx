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
  onDeletePicture: (job: ShownJob, picture: PictureView) => void;
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

export function ImageTile({
  job,
  picture,
  at,
  count,
  large,
  onOpen,
  onAgain,
  onDeletePicture,
}: ImageTileProps) {
  const { copied, copy } = useClipboard();
  const { id, width, height } = picture;
  const isOnly = count === 1;
  const position = { at, count };
  return (
    <li className="@container grid min-w-0 content-start gap-1">
      <button
        type="button"
        className={frameClass(job.size)}
        aria-label={
          isOnly
            ? m.images_open_one({ prompt: job.prompt })
            : m.images_open({ ...position, prompt: job.prompt })
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
          variant="ghost"
          className="me-auto font-normal @max-[15rem]:me-0 @max-[15rem]:w-(--hit) @max-[15rem]:gap-0 @max-[15rem]:p-0 @max-[15rem]:text-[0]"
          href={`${pictureUrl(id)}?download`}
          download
          aria-label={isOnly ? m.images_download_one() : m.images_download_at(position)}
        >
          <Download size={16} strokeWidth={1.75} aria-hidden="true" />
          {m.common_download()}
        </Button>
        <IconButton
          label={copied ? m.copied() : isOnly ? m.images_copy() : m.images_copy_at(position)}
          title={m.images_copy()}
          Icon={copied ? Check : Copy}
          onClick={() => copy(job.prompt)}
        />
        <IconButton
          label={isOnly ? m.images_use_again() : m.images_use_at(position)}
          title={m.images_use_again()}
          onClick={() => onAgain(job)}
          Icon={RotateCcw}
        />
        <IconButton
          label={isOnly ? m.images_delete() : m.images_delete_at(position)}
          title={m.common_delete()}
          data-delete={id}
          onClick={() => onDeletePicture(job, picture)}
          Icon={Trash2}
        />
      </div>
    </li>
  );
}
