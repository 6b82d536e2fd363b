import { Download, ImageIcon, Paperclip, RotateCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { request } from '#client/api-request.ts';
import { readProblem } from '#client/problem-error.ts';
import { showError } from '#client/show-error.ts';
import { featureTable, formatCredits } from '#features/credits/contract.ts';
import { progressLines } from '#features/generations/web/progress-lines.ts';
import { type DrawnImages, type PictureView, pictureUrl } from '#features/images/contract.ts';
import { ElapsedTime } from '#features/tools/web/elapsed-time.tsx';
import { m } from '#messages';
import { slugOf } from '#shared/slug.ts';
import { Button } from '#ui/button.tsx';
import type { Attachment } from '../../contract.ts';
import type { ChatControls } from '../state/chat-controls.ts';
import { isLive, type Message } from '../state/chat-state.ts';
import { keepFocus } from './keep-focus.ts';
import { hasFailed } from './reply-options.ts';

const frame = (size: DrawnImages['size']) =>
  `block w-full max-w-96 overflow-hidden rounded-sm border border-line bg-sunken ${size === '768x512' ? 'aspect-3/2' : 'aspect-square'}`;

interface PictureProps {
  picture: PictureView;
  images: DrawnImages;
  controls: ChatControls;
  /** Shown beside its buttons. */
  children: ReactNode;
}

async function attach(picture: PictureView, prompt: string, controls: ChatControls): Promise<void> {
  try {
    const file = await fetch(pictureUrl(picture.id));
    if (!file.ok) throw await readProblem(file);
    const name = new URLSearchParams({ name: `${slugOf(prompt, 'image')}.png` });
    controls.attach(
      await request<Attachment>(`/api/files?${name}`, { method: 'POST', body: await file.blob() }),
    );
  } catch (error) {
    showError(error);
  }
}

function Picture({ picture, images, controls, children }: PictureProps) {
  const [deleted, setDeleted] = useState(false);
  const { id, width, height } = picture;
  const { jobId, prompt, size } = images;
  if (deleted) return <Deleted />;
  const { offered } = featureTable.image;
  return (
    <figure className="grid justify-items-start gap-1">
      <a
        className={frame(size)}
        href={offered ? `/tools/image/${jobId}` : pictureUrl(id)}
        aria-label={m.images_open_one({ prompt })}
      >
        <img
          src={pictureUrl(id, 640)}
          srcSet={`${pictureUrl(id, 640)} ${Math.min(640, width)}w, ${pictureUrl(id)} ${width}w`}
          sizes="(width < 30rem) 88vw, 24rem"
          width={width}
          height={height}
          alt={prompt}
          decoding="async"
          className="block size-full object-cover"
          // It was deleted elsewhere after this page was loaded.
          onError={() => setDeleted(true)}
        />
      </a>
      <div className="-ms-2.5 flex flex-wrap items-center print:hidden">
        <Button variant="ghost" className="font-normal" href={`${pictureUrl(id)}?download`} download>
          <Download size={16} strokeWidth={1.75} aria-hidden="true" />
          <span className="max-sm:sr-only">{m.images_download_one()}</span>
        </Button>
        <Button
          variant="ghost"
          className="font-normal"
          onClick={() => void attach(picture, prompt, controls)}
        >
          <Paperclip size={16} strokeWidth={1.75} aria-hidden="true" />
          <span className="max-sm:sr-only">{m.chat_draw_attach()}</span>
        </Button>
        {offered ? (
          <Button variant="ghost" className="font-normal" href={`/tools/image/${jobId}`}>
            <ImageIcon size={16} strokeWidth={1.75} aria-hidden="true" />
            <span className="max-sm:sr-only">{m.prompts_open_image()}</span>
          </Button>
        ) : null}
        {children}
      </div>
    </figure>
  );
}

const picturesFrom = (steps: string): PictureView[] =>
  progressLines<{ picture?: PictureView }>(steps).flatMap(({ picture }) => picture ?? []);

/** Button for another version, which costs the same again. */
function RegenerateButton({ turn, controls }: Pick<DrawnReplyProps, 'turn' | 'controls'>) {
  if (!featureTable.image.offered || turn.unsent || turn.cutOff || turn.generationId === null) return null;
  const label = hasFailed(turn) ? m.common_retry() : m.chat_regenerate();
  const paid = controls.costOf() !== null;
  const credits = formatCredits(featureTable.image.price);
  return (
    <Button
      variant="ghost"
      className="font-normal"
      onClick={(event) => {
        keepFocus(event);
        controls.regenerate(turn);
      }}
    >
      <RotateCw size={16} strokeWidth={1.75} aria-hidden="true" />
      {paid ? m.credits_button({ label, credits }) : label}
    </Button>
  );
}

const Deleted = () => <p className="text-fg-muted">{m.chat_draw_deleted()}</p>;

interface DrawnReplyProps {
  turn: Message;
  images: DrawnImages;
  controls: ChatControls;
}

/** An image that replaces the text of a reply. */
export default function DrawnReply({ turn, images, controls }: DrawnReplyProps) {
  const { size } = images;
  const pictures = turn.steps === undefined ? images.pictures : picturesFrom(turn.steps);
  const jobId = images.jobId ?? turn.generationId;
  const button = <RegenerateButton turn={turn} controls={controls} />;
  if (pictures.length > 0)
    return pictures.map((picture) => (
      <Picture key={picture.id} picture={picture} images={{ ...images, jobId }} controls={controls}>
        {button}
      </Picture>
    ));
  if (isLive(turn))
    return (
      <p
        className={`${frame(size)} grid place-content-center justify-items-center gap-2 text-center text-sm text-fg-muted`}
      >
        <span className="spinner" aria-hidden="true" />
        <span>
          {m.images_generating()} <ElapsedTime since={turn.createdAt} />
        </span>
      </p>
    );
  return (
    <>
      {turn.state === 'done' ? <Deleted /> : null}
      <p className="-ms-2.5 print:hidden">{button}</p>
    </>
  );
}
