import { curatedPrompts } from '../../../../content/prompts/all.ts';
import { sampleDocument } from '../../../../content/sample-document.ts';
import { sampleScript } from '../../../../content/sample-script.ts';
import { featureTable } from '../../../features/credits/contract.ts';
import { imageLimits, imageSizes } from '../../../features/image/contract.ts';
import { plain } from '../../../shared/fountain/inline.ts';
import { parseFountain } from '../../../shared/fountain/parse.ts';
import { labelOf } from '../../../shared/prompt-variables/fill.ts';
import { parsePrompt } from '../../../shared/prompt-variables/parse.ts';

const before =
  'We are very pleased to be able to inform our customers that the shop will be opening its doors again on Monday.';
const after = 'The shop opens again on Monday.';
const words = (text: string) => text.split(' ').length;

/** A change as the writer shows it before it is taken. */
export function WriterSpecimen() {
  return (
    <figure className="specimen">
      <p>Dear customers,</p>
      <p>
        <del>{before}</del> <ins>{after}</ins> Repairs are taken from nine to six, Tuesday to Saturday. The
        workshop in the yard stays closed until the new floor has dried.
      </p>
      <figcaption>
        Shorten: {words(before)} words become {words(after)}. Accept or discard.
      </figcaption>
    </figure>
  );
}

/** Blocks of the sample that are shown: a heading, what is seen, and who speaks. */
const opening = parseFountain(sampleScript).blocks.slice(0, 4);

/** The beginning of our own sample, in the columns of a screenplay. */
export function ScriptSpecimen() {
  return (
    <figure className="specimen">
      <div className="specimen-script">
        {opening.map((block) => {
          if (block.type === 'dialogue')
            return (
              <div key={block.character} className="specimen-speech">
                <p>{block.character}</p>
                {block.speech.map(({ type, text }) => (
                  <p key={text}>{type === 'parenthetical' ? `(${plain(text)})` : plain(text)}</p>
                ))}
              </div>
            );
          return 'text' in block ? <p key={block.text}>{plain(block.text)}</p> : null;
        })}
      </div>
      <figcaption>
        From a sample of ours. Ask for the second line again, and only that line changes.
      </figcaption>
    </figure>
  );
}

/** Side of the drawing, in its own units. */
const SIDE = 300;
const scale = (SIDE - 2) / Math.max(...imageSizes.map(({ width }) => width));
/** The smallest first: it is the one with a ground, and the lines of the others go over it. */
const drawn = imageSizes.toSorted((one, other) => one.width * one.height - other.width * other.height);
const counts = Array.from({ length: imageLimits.count }, (_, at) => at + 1);

/** The sizes on one line, all to one scale. */
export function ImageSpecimen() {
  const { price } = featureTable.image;
  return (
    <figure className="specimen">
      <svg
        className="specimen-sizes"
        viewBox={`0 0 ${SIDE} ${SIDE}`}
        role="img"
        aria-label={imageSizes
          .map(({ width, height, description }) => `${width} by ${height} pixels: ${description}`)
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
            <g key={value} transform={`translate(${left ? 1 : SIDE - 1 - wide} ${SIDE - 1 - high})`}>
              <rect width={wide} height={high} />
              <text y={y} {...words}>
                {width} × {height}
              </text>
              <text y={y + 16} {...words}>
                {description}
              </text>
            </g>
          );
        })}
      </svg>
      <figcaption>
        To scale, in pixels. On the free plan {counts.map((many) => `${many} for ${many * price}`).join(', ')}{' '}
        credits.
      </figcaption>
    </figure>
  );
}

const [, statement] = sampleDocument.summary;
const [quote] = statement?.quotes ?? [];

/** A statement with the words that hold it, in their page. */
export function PdfSpecimen() {
  if (!statement || !quote) return null;
  const [start = '', end = ''] = (sampleDocument.pages[quote.page - 1] ?? '').split(quote.words);
  return (
    <figure className="specimen">
      <p className="font-semibold">{statement.text}</p>
      <blockquote className="specimen-page">
        <span className="eyebrow">Page {quote.page}</span>
        <p>
          {start}
          <span className="mark">{quote.words}</span>
          {end}
        </p>
      </blockquote>
      <figcaption>From the sample “{sampleDocument.name}”, a text of ours.</figcaption>
    </figure>
  );
}

const prompt = curatedPrompts.find(({ slug }) => slug === 'say-no-kindly') ?? curatedPrompts[0];
const shown = parsePrompt(prompt?.content ?? '').map((part, at) => ({ ...part, at }));

/** A prompt of the library, its blanks marked. */
export function PromptSpecimen() {
  if (!prompt) return null;
  return (
    <figure className="specimen">
      <p className="whitespace-pre-line">
        {shown.map((part) =>
          'variable' in part ? (
            <span key={part.at} className="mark">
              {labelOf(part.variable)}
            </span>
          ) : (
            part.text
          ),
        )}
      </p>
      <figcaption>
        <a className="link" href={`/tools/prompts/${prompt.slug}`}>
          {prompt.title}
        </a>
        , one of the library. Its blanks become a form.
      </figcaption>
    </figure>
  );
}
