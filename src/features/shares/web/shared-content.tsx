import { previewWidths } from '#features/images/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import type { RenderedMessage } from '../contract.ts';
import '#ui/screenplay.css';
import './shared-page.css';

export interface RenderedImage {
  path: string;
  width: number;
  height: number;
  /** Null: the owner does not show it. */
  prompt: string | null;
}

export type RenderedContent =
  | { messages: RenderedMessage[] }
  | { html: string }
  | { screenplay: string }
  | { images: RenderedImage[] };

/** HTML from our own renderers, which let no markup through. */
function Rendered({ html, className = '' }: { html: string; className?: string }) {
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: our own renderer made it, which lets no markup through
    <div className={`min-w-0 ${className}`} dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
  );
}

function Message({ role, content, files, images, partial }: RenderedMessage) {
  const isQuestion = role === 'user';
  return (
    <article className="grid gap-2">
      <h2 className="visually-hidden">{isQuestion ? m.shared_question() : m.shared_reply()}</h2>
      {isQuestion && content !== '' ? <p className="bubble">{content}</p> : null}
      {isQuestion ? null : <Rendered html={content} />}
      {partial ? <p className="fine">{m.shared_partial()}</p> : null}
      {images > 0 ? <p className="fine">{m.shared_images_out({ count: images })}</p> : null}
      {files > 0 ? <p className="fine text-end">{m.shared_files({ count: files })}</p> : null}
    </article>
  );
}

/** The browser chooses the file that fits the image's width. */
const srcSetOf = ({ path, width }: RenderedImage) =>
  [
    ...previewWidths.filter((each) => each < width).map((each) => `${path}?w=${each} ${each}w`),
    `${path} ${width}w`,
  ].join(', ');

function Image({ image, at, count }: { image: RenderedImage; at: number; count: number }) {
  const { path, width, height, prompt } = image;
  const position = { at, count };
  return (
    <li className="grid min-w-0 content-start justify-items-start gap-2">
      <a href={path} className="block">
        <img
          src={`${path}?w=640`}
          srcSet={srcSetOf(image)}
          sizes={count === 1 ? '(width < 48rem) 92vw, 48rem' : '(width < 48rem) 92vw, 24rem'}
          width={width}
          height={height}
          alt={prompt ?? m.shared_image_alt(position)}
          loading={at > 2 ? 'lazy' : undefined}
          className="h-auto max-w-full rounded-sm border border-line bg-sunken"
        />
      </a>
      {prompt === null ? null : (
        <p className="text-sm whitespace-pre-wrap wrap-anywhere" dir="auto">
          {prompt}
        </p>
      )}
      <Button
        className="print:hidden"
        href={`${path}?download`}
        download
        aria-label={count === 1 ? m.images_download_one() : m.images_download_at(position)}
      >
        {m.common_download()}
      </Button>
    </li>
  );
}

export function SharedContent({ content, heading }: { content: RenderedContent; heading: string }) {
  if ('messages' in content)
    return content.messages.map((message, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: messages have no identity except their position
      <Message key={at} {...message} />
    ));
  if ('images' in content) {
    const { images } = content;
    return (
      <ul className={`grid gap-6 ${images.length > 1 ? 'sm:grid-cols-2' : ''}`}>
        {images.map((image, at) => (
          <Image key={image.path} image={image} at={at + 1} count={images.length} />
        ))}
      </ul>
    );
  }
  return (
    <article className="@container/sheet grid gap-2">
      <h2 className="visually-hidden">{heading}</h2>
      {'html' in content ? (
        <Rendered html={content.html} />
      ) : (
        <Rendered className="sp" html={content.screenplay} />
      )}
    </article>
  );
}
