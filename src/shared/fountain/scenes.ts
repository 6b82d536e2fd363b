import { unstyledText } from './inline-styles.ts';
import { parsePlaced } from './parse-fountain.ts';

/** `from` and `to` in UTF-16 units: from its heading to the next one. */
export interface Scene {
  heading: string;
  number: string | null;
  block: number;
  from: number;
  to: number;
}

export function scenesOf(source: string): Scene[] {
  const { placed } = parsePlaced(source);
  const scenes: Scene[] = [];
  for (const [at, { block, from }] of placed.entries()) {
    if (block.type !== 'scene') continue;
    const last = scenes.at(-1);
    if (last) last.to = from;
    scenes.push({
      heading: unstyledText(block.text),
      number: block.number,
      block: at,
      from,
      to: source.length,
    });
  }
  return scenes;
}
