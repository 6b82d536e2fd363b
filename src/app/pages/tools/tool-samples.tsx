import { curatedPrompts } from '#content/prompts/all.ts';
import { sampleDocument } from '#content/sample-document.ts';
import { sampleScript } from '#content/sample-script.ts';
import { seedText } from '#content/seed/works.ts';
import { featureTable } from '#features/credits/contract.ts';
import { imageLimits, imageSizes } from '#features/images/contract.ts';
import { m } from '#messages';
import { variableLabel } from '#shared/fill-prompt.ts';
import { unstyledText } from '#shared/fountain/inline-styles.ts';
import { parseFountain } from '#shared/fountain/parse-fountain.ts';
import { parsePrompt } from '#shared/parse-prompt.ts';

const { passage: before, shorter: after } = seedText;
const words = (text: string) => text.split(' ').length;

export function WriterSample() {
  return (
    <figure className="specimen grid content-start gap-4 self-start p-6 border rounded-lg bg-surface border-line max-md:p-4">
      <p lang="en" dir="ltr">
        <del className="text-fg-subtle decoration-1">{before}</del>{' '}
        <ins className="print:bg-transparent print:text-inherit print:underline">{after}</ins>
      </p>
      <figcaption className="pt-3 border-t text-xs text-fg-muted border-line">
        {m.tools_sample_writer({ before: words(before), after: words(after) })}
      </figcaption>
    </figure>
  );
}

const opening = parseFountain(sampleScript).blocks.slice(0, 4);

export function ScriptSample() {
  return (
    <figure className="specimen grid content-start gap-4 self-start p-6 border rounded-lg bg-surface border-line max-md:p-4">
      <div lang="en" dir="ltr" className="grid gap-[0.9em] font-normal text-[13px]/[1.45] font-mono">
        {opening.map((block) => {
          if (block.type === 'dialogue')
            return (
              <div
                key={block.character}
                className="specimen-speech ps-[16%] pe-[22%] max-md:ps-[8%] max-md:pe-[4%]"
              >
                <p>{block.character}</p>
                {block.speech.map(({ type, text }) => (
                  <p key={text}>
                    {type === 'parenthetical' ? `(${unstyledText(text)})` : unstyledText(text)}
                  </p>
                ))}
              </div>
            );
          return 'text' in block ? <p key={block.text}>{unstyledText(block.text)}</p> : null;
        })}
      </div>
      <figcaption className="pt-3 border-t text-xs text-fg-muted border-line">
        {m.tools_sample_script()}
      </figcaption>
    </figure>
  );
}

const SIDE = 300;
const scale = (SIDE - 2) / Math.max(...imageSizes.map(({ width }) => width));
/** The smallest first: it is the one with a ground, and the lines of the others go over it. */
const drawn = imageSizes.toSorted((one, other) => one.width * one.height - other.width * other.height);

export function ImageSample() {
  const { price } = featureTable.image;
  return (
    <figure className="specimen grid content-start gap-4 self-start p-6 border rounded-lg bg-surface border-line max-md:p-4">
      <svg
        className="specimen-sizes w-full max-w-88 mx-auto"
        viewBox={`0 0 ${SIDE} ${SIDE}`}
        role="img"
        aria-label={imageSizes
          .map(({ width, height, description }) =>
            m.tools_sample_size({ width, height, description: description() }),
          )
          .join('; ')}
      >
        {drawn.map(({ value, description, width, height }, at) => {
          const [wide, high] = [width * scale, height * scale];
          // The smallest stands on the left, so that the words of each have room.
          const left = at === 0;
          const words = {
            x: left ? 6 : wide - 10,
            textAnchor: left ? ('start' as const) : ('end' as const),
          };
          const y = left ? high - 26 : 20;
          return (
            <g
              key={value}
              className="group"
              transform={`translate(${left ? 1 : SIDE - 1 - wide} ${SIDE - 1 - high})`}
            >
              <rect
                className="fill-none stroke-line-strong group-first:fill-mark-soft"
                width={wide}
                height={high}
              />
              <text className="text-[12px]/[1] font-mono fill-fg" y={y} {...words}>
                {width} × {height}
              </text>
              <text className="text-[12px]/[1] font-mono fill-fg-muted" y={y + 16} {...words}>
                {description()}
              </text>
            </g>
          );
        })}
      </svg>
      <figcaption className="pt-3 border-t text-xs text-fg-muted border-line">
        {m.tools_sample_image({ price, count: imageLimits.count })}
      </figcaption>
    </figure>
  );
}

const [, statement] = sampleDocument.summary;
const [quote] = statement?.quotes ?? [];

export function PdfSample() {
  if (!statement || !quote) return null;
  const [start = '', end = ''] = (sampleDocument.pages[quote.page - 1] ?? '').split(quote.words);
  return (
    <figure className="specimen grid content-start gap-4 self-start p-6 border rounded-lg bg-surface border-line max-md:p-4">
      <p className="font-semibold" lang="en" dir="auto">
        {statement.text}
      </p>
      <blockquote className="grid gap-1 ps-4 border-s-2 text-sm/6 text-fg-muted border-line-strong">
        <span className="eyebrow">{m.pdf_page_short({ page: quote.page })}</span>
        <p lang="en" dir="ltr">
          {start}
          <span className="mark">{quote.words}</span>
          {end}
        </p>
      </blockquote>
      <figcaption className="pt-3 border-t text-xs text-fg-muted border-line">
        {m.tools_sample_pdf({ name: sampleDocument.name })}
      </figcaption>
    </figure>
  );
}

const prompt = curatedPrompts.find(({ slug }) => slug === 'say-no-kindly') ?? curatedPrompts[0];
const shown = parsePrompt(prompt?.content ?? '').map((part, at) => ({ ...part, at }));

export function PromptSample() {
  if (!prompt) return null;
  return (
    <figure className="specimen grid content-start gap-4 self-start p-6 border rounded-lg bg-surface border-line max-md:p-4">
      <p className="whitespace-pre-line" lang="en" dir="ltr">
        {shown.map((part) =>
          'variable' in part ? (
            <span key={part.at} className="mark">
              {variableLabel(part.variable)}
            </span>
          ) : (
            part.text
          ),
        )}
      </p>
      <figcaption className="pt-3 border-t text-xs text-fg-muted border-line">
        {m.tools_sample_prompt({
          title: prompt.title,
          link: (text) => (
            <a className="link" href={`/tools/prompts/${prompt.slug}`}>
              <bdi lang="en">{text}</bdi>
            </a>
          ),
        })}
      </figcaption>
    </figure>
  );
}
