import { Check, Copy, Download, RotateCcw, Trash2 } from 'lucide-react';
import { useCopied } from '../../../../client/use-copied.ts';
import { type PictureView, pictureUrl, previewWidths } from '../../contract.ts';
import type { ShownJob } from './use-gallery.ts';

export interface TileActions {
  onOpen: (picture: PictureView) => void;
  onAgain: (job: ShownJob) => void;
  onDelete: (job: ShownJob, picture: PictureView) => void;
}

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** Addresses of a picture by width, for the browser to choose from. */
const sources = ({ id, width }: PictureView) =>
  [
    ...previewWidths.filter((each) => each < width).map((each) => `${pictureUrl(id, each)} ${each}w`),
    `${width <= 640 ? pictureUrl(id, 640) : pictureUrl(id)} ${width}w`,
  ].join(', ');

interface TileProps extends TileActions {
  job: ShownJob;
  picture: PictureView;
  /** Tells several pictures of one prompt apart. */
  name: string;
  large: boolean;
}

/** One picture with what can be done with it. */
export function Tile({ job, picture, name, large, onOpen, onAgain, onDelete }: TileProps) {
  const { copied, copy } = useCopied();
  const { id, width, height } = picture;
  return (
    <li className="image-tile">
      <button
        type="button"
        className="image-frame"
        data-size={job.size}
        aria-label={`Open ${name}: ${job.prompt}`}
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
        />
      </button>
      <div className="image-actions">
        <a
          className="btn btn-ghost"
          href={`${pictureUrl(id)}?download`}
          download
          aria-label={`Download ${name}`}
        >
          <Download {...icon} />
          Download
        </a>
        <button
          type="button"
          className="btn btn-ghost btn-icon"
          aria-label={copied ? 'Copied' : `Copy prompt of ${name}`}
          title="Copy prompt"
          onClick={() => copy(job.prompt)}
        >
          {copied ? <Check {...icon} /> : <Copy {...icon} />}
        </button>
        <button
          type="button"
          className="btn btn-ghost btn-icon"
          aria-label={`Use ${name} again`}
          title="Use again"
          onClick={() => onAgain(job)}
        >
          <RotateCcw {...icon} />
        </button>
        <button
          type="button"
          className="btn btn-ghost btn-icon"
          aria-label={`Delete ${name}`}
          title="Delete"
          data-delete={id}
          onClick={() => onDelete(job, picture)}
        >
          <Trash2 {...icon} />
        </button>
      </div>
    </li>
  );
}
