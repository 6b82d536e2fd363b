import type { ReactNode } from 'react';
import { curatedPrompts } from '#content/prompts/all.ts';
import { sampleDocument } from '#content/sample-document.ts';
import { sampleScript } from '#content/sample-script.ts';
import { seedText } from '#content/seed/works.ts';
import { m } from '#messages';
import { variableLabel } from '#shared/fill-prompt.ts';
import { unstyledText } from '#shared/fountain/inline-styles.ts';
import { parseFountain } from '#shared/fountain/parse-fountain.ts';
import { parsePrompt } from '#shared/parse-prompt.ts';
import { WordDiff } from '#ui/word-diff.tsx';
import { SampleImages } from '../home/sample-image.tsx';

const { passage: before, shorter: after } = seedText;
const countWords = (text: string) => text.split(' ').length;

function Specimen({ caption, children }: { caption: ReactNode; children: ReactNode }) {
  return (
    <figure className="grid content-start gap-4 self-start p-6 border rounded-lg bg-surface border-line max-md:p-4 max-lg:col-2 max-md:col-1">
      {children}
      <figcaption className="pt-3 border-t text-xs text-fg-muted border-line">{caption}</figcaption>
    </figure>
  );
}

export function WriterSample() {
  return (
    <Specimen caption={m.tools_sample_writer({ before: countWords(before), after: countWords(after) })}>
      <p lang="en" dir="ltr">
        <WordDiff before={before} after={after} />
      </p>
    </Specimen>
  );
}

const opening = parseFountain(sampleScript).blocks.slice(0, 4);

export function ScriptSample() {
  return (
    <Specimen caption={m.tools_sample_script()}>
      <div lang="en" dir="ltr" className="grid gap-[0.9em] font-normal text-[13px]/[1.45] font-mono">
        {opening.map((block) => {
          if (block.type === 'dialogue')
            return (
              // As in a printed screenplay: speech is indented, and the name is indented further.
              <div
                key={block.character}
                className="ps-[16%] pe-[22%] max-md:ps-[8%] max-md:pe-[4%] [&>:first-child]:ps-[28%]"
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
    </Specimen>
  );
}

export function ImageSample() {
  return (
    <Specimen caption={m.tools_sample_image({ prompt: m.home_images_prompt() })}>
      <SampleImages className="grid-cols-2" />
    </Specimen>
  );
}

const [, statement] = sampleDocument.summary;
const [quote] = statement?.quotes ?? [];

export function PdfSample() {
  if (!statement || !quote) return null;
  const [start = '', end = ''] = (sampleDocument.pages[quote.page - 1] ?? '').split(quote.words);
  return (
    <Specimen caption={m.tools_sample_pdf({ name: sampleDocument.name })}>
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
    </Specimen>
  );
}

const prompt = curatedPrompts.find(({ slug }) => slug === 'say-no-kindly') ?? curatedPrompts[0];
const promptParts = parsePrompt(prompt?.content ?? '').map((part, at) => ({ ...part, at }));

export function PromptSample() {
  if (!prompt) return null;
  return (
    <Specimen
      caption={m.tools_sample_prompt({
        title: prompt.title,
        link: (text) => (
          <a className="link" href={`/tools/prompts/${prompt.slug}`}>
            <bdi lang="en">{text}</bdi>
          </a>
        ),
      })}
    >
      <p className="whitespace-pre-line" lang="en" dir="ltr">
        {promptParts.map((part) =>
          'variable' in part ? (
            <span key={part.at} className="mark">
              {variableLabel(part.variable)}
            </span>
          ) : (
            part.text
          ),
        )}
      </p>
    </Specimen>
  );
}
