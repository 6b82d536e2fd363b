import type { PromptSample } from '#content/prompts/samples.ts';
import { locale, m } from '#messages';

function SamplePicture({
  picture,
  className,
}: {
  picture: NonNullable<PromptSample['picture']>;
  className: string;
}) {
  return (
    <img
      className={`h-auto rounded-md border border-line ${className}`}
      src={picture.url}
      alt={picture.alt}
      width={picture.width}
      height={picture.height}
      loading="lazy"
    />
  );
}

export function SampleLines({ sample: { text, picture } }: { sample: PromptSample }) {
  return (
    <div className={picture ? 'flex items-start gap-4' : 'grid gap-1'} lang="en" dir="ltr">
      {picture ? <SamplePicture picture={picture} className="w-36" /> : null}
      <p className="fine" lang={locale()}>
        {m.prompts_sample()}
      </p>
      {text ? (
        <p className="prompt-lines line-clamp-3 text-sm/6 wrap-anywhere whitespace-pre-line">{text}</p>
      ) : null}
    </div>
  );
}

function sampleNote(picture: PromptSample['picture'], model: string | null): string {
  if (model !== null) return m.samples_made({ model });
  return picture ? m.prompts_sample_drawn() : m.prompts_sample_written();
}

export function SampleResult({ sample: { filled, text, picture, model } }: { sample: PromptSample }) {
  return (
    <section className="mt-10 max-w-(--measure) border-t border-line pt-5" aria-labelledby="prompt-sample">
      <h2 className="h3" id="prompt-sample">
        {m.prompts_sample()}
      </h2>
      <p className="muted mt-1 text-sm">
        {m.prompts_sample_filled({ filled: () => <bdi lang="en">{filled}</bdi> })}
      </p>
      {picture ? <SamplePicture picture={picture} className="mt-4 w-full max-w-[24rem]" /> : null}
      {text ? (
        <p className="mt-4 rounded-md bg-sunken px-4 py-3 whitespace-pre-line" lang="en" dir="ltr">
          {text}
        </p>
      ) : null}
      <p className="fine mt-3">{sampleNote(picture, model)}</p>
    </section>
  );
}
