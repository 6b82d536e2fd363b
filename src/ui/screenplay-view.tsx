import { memo, type ReactNode } from 'react';
import { type Run, runsOf, styledLine, withoutNotes } from '#shared/fountain/inline-styles.ts';
import type { Block, PlacedBlock, Speech as SpeechPart } from '#shared/fountain/screenplay.ts';
import './screenplay.css';

function Words({ run }: { run: Run }) {
  let words: ReactNode = run.text;
  if (run.underline) words = <u>{words}</u>;
  if (run.italic) words = <em>{words}</em>;
  return run.bold ? <strong>{words}</strong> : words;
}

function Text({ text }: { text: string }) {
  return withoutNotes(text)
    .split('\n')
    .map((line, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines and runs have no other key
      <span key={at}>
        {at > 0 ? <br /> : null}
        {runsOf(styledLine(line)).map((run, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <Words key={index} run={run} />
        ))}
      </span>
    ));
}

const speechClasses = { dialogue: 'sp-line', parenthetical: 'sp-aside', lyrics: 'sp-line sp-lyrics' };

function SpeechLine({ part: { type, text } }: { part: SpeechPart }) {
  return (
    <p className={speechClasses[type]} dir="auto">
      <Text text={type === 'parenthetical' ? `(${text})` : text} />
    </p>
  );
}

function Speech({ block }: { block: Block & { type: 'dialogue' } }) {
  return (
    <div className="sp-speech">
      <p className="sp-name" dir="auto">
        <Text text={block.character} />
      </p>
      {block.speech.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a speech have no other key
        <SpeechLine key={at} part={part} />
      ))}
    </div>
  );
}

const classes = {
  action: 'sp-action',
  lyrics: 'sp-lyrics sp-line',
  transition: 'sp-transition',
  centered: 'sp-centered',
  section: 'sp-aside-note font-semibold',
  synopsis: 'sp-aside-note',
  note: 'sp-aside-note',
} as const;

function Paragraph({ block }: { block: Block }) {
  if (block.type === 'page-break')
    return <hr className="my-[1.5em] border-0 border-t border-dashed border-line-strong" />;
  if (block.type === 'dialogue') return <Speech block={block} />;
  if (block.type === 'scene')
    return (
      <>
        <Text text={block.text} />
        {block.number === null ? null : <span className="text-fg-subtle"> {block.number}</span>}
      </>
    );
  return (
    <p className={classes[block.type]} dir="auto">
      <Text text={block.text} />
    </p>
  );
}

/** While text streams in, only the last paragraph renders again. */
const MemoParagraph = memo(
  Paragraph,
  (previous, next) => JSON.stringify(previous.block) === JSON.stringify(next.block),
);

interface Part {
  /** -1 before the first scene. */
  scene: number;
  blocks: Block[];
}

function partsOf(placed: PlacedBlock[]): Part[] {
  const parts: Part[] = [{ scene: -1, blocks: [] }];
  for (const { block } of placed) {
    if (block.type === 'scene') parts.push({ scene: parts.length - 1, blocks: [block] });
    else parts.at(-1)!.blocks.push(block);
  }
  return parts;
}

export const sceneId = (name: string, scene: number): string => `${name}-scene-${scene + 1}`;

interface ScreenplayViewProps {
  placed: PlacedBlock[];
  name: string;
  tools?: (scene: number) => ReactNode;
  below?: (scene: number) => ReactNode;
  folded?: (scene: number) => boolean;
}

/** Shows dual dialogue side by side. */
function Paragraphs({ blocks }: { blocks: Block[] }) {
  return blocks.map((block, at) => {
    const [previous, next] = [blocks[at - 1], blocks[at + 1]];
    if (block.type === 'dialogue' && block.dual && previous?.type === 'dialogue' && !previous.dual)
      return null;
    if (block.type === 'dialogue' && next?.type === 'dialogue' && next.dual && !block.dual)
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs have no other key
        <div key={at} className="sp-dual">
          <MemoParagraph block={block} />
          <MemoParagraph block={next} />
        </div>
      );
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    return <MemoParagraph key={at} block={block} />;
  });
}

export function ScreenplayView({ placed, name, tools, below, folded }: ScreenplayViewProps) {
  return partsOf(placed).map(({ scene, blocks }) => {
    const [heading, ...rest] = blocks;
    if (scene < 0) return <Paragraphs key="before" blocks={blocks} />;
    return (
      <div key={scene} className="sp-part">
        <div className="sp-head">
          <h3 className="sp-scene" dir="auto" id={sceneId(name, scene)} tabIndex={-1}>
            {heading ? <MemoParagraph block={heading} /> : null}
          </h3>
          {tools?.(scene)}
        </div>
        {below?.(scene)}
        {folded?.(scene) ? null : <Paragraphs blocks={rest} />}
      </div>
    );
  });
}
