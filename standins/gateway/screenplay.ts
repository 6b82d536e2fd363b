/**
 * A screenplay in Fountain out of the scene that was asked for: its words, its characters, as many scenes as its length
 * wants. Limit of fidelity: nothing happens in it that the request does not say.
 */
import type { Message } from './request.ts';
import { isTelling, mainWords, seedOf, sentencesOf, shorten, wordsOf } from './words.ts';

const systemOf = (messages: Message[]): string => messages.find(({ role }) => role === 'system')?.text ?? '';

const isRewrite = (messages: Message[]): boolean =>
  /^You rewrite one scene of a screenplay/.test(systemOf(messages));

/** Whether the system instruction asks for a screenplay in Fountain, or for a scene of one anew. */
export const isScreenplayRequest = (messages: Message[]): boolean =>
  isRewrite(messages) || /\bscreenplay in Fountain\b/.test(systemOf(messages));

interface Wish {
  scene: string;
  style: string;
  minutes: number;
  names: string[];
}

const field = (text: string, name: string): string =>
  new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? '';

/** Names that the wish gives, else those that the scene writes with a capital within a sentence. */
function namesOf(listed: string, scene: string): string[] {
  const given = listed
    .split(/[,;]| and /)
    .map((name) => /^[\p{L}\p{N} .'-]+/u.exec(name.trim())?.[0].trim() ?? '')
    .filter((name) => name !== '');
  const within = scene.match(/(?<=[\p{Ll},;] )\p{Lu}\p{Ll}{2,}/gu) ?? [];
  const leading = scene.match(/\b\p{Lu}\p{Ll}{2,}(?= \p{Ll}+s\b)/gu) ?? [];
  const found = [...leading, ...within].filter(isTelling);
  const names = [...new Set([...given, ...found].map((name) => shorten(name, 24).toUpperCase()))].filter(
    (name) => /\p{Lu}/u.test(name),
  );
  return [...names, 'FIRST VOICE', 'SECOND VOICE'].slice(0, Math.max(2, Math.min(4, names.length)));
}

function wishOf(text: string): Wish {
  const scene =
    text
      .split(/^Scene:\n/m)
      .slice(1)
      .join('Scene:\n')
      .trim() || text;
  return {
    scene,
    style: field(text, 'Style') || 'Drama',
    minutes: Number(/about (\d+) minutes/.exec(text)?.[1] ?? 2),
    names: namesOf(field(text, 'Characters'), scene),
  };
}

const LINES: ((word: string, other: string, quote: string) => string)[] = [
  (word) => `Tell me about ${word} once more.`,
  (word, other) => `First ${word}. Then ${other}. I have counted.`,
  (_word, _other, quote) => `You said it yourself: ${quote}`,
  (word) => `And if there is no ${word}?`,
  (word, other) => `Then ${other} is all we have, and ${word} was a story.`,
  (word) => `I never asked for ${word}.`,
];

/** One scene of about half a page and more, out of one sentence of the request. */
function sceneOf(wish: Wish, at: number, lines: number): string {
  const sentences = sentencesOf(wish.scene).map(({ text }) => text);
  const known = mainWords(wish.scene, 16)
    .map(({ word }) => word)
    .filter((word) => !wish.names.includes(word.toUpperCase()));
  const words = known.length > 0 ? known : wordsOf(wish.scene).slice(0, 3);
  const word = (step: number) => words[(at + step) % Math.max(1, words.length)] ?? 'the scene';
  const quote = shorten(sentences[at % Math.max(1, sentences.length)] ?? wish.scene, 160).replace(
    /\s+/g,
    ' ',
  );
  const place = word(0).toUpperCase().replace(/[#()]/g, '');
  const seed = seedOf(wish.scene);
  const parts = [
    `${at % 2 === 0 ? 'INT.' : 'EXT.'} ${/\p{L}/u.test(place) ? place : 'SOMEWHERE'} - ${at % 2 === 0 ? 'NIGHT' : 'DAY'}`,
    `The local stand-in sets the scene with your own words. ${quote}`,
  ];
  for (let step = 0; step < lines; step++) {
    const name = wish.names[(at + step) % wish.names.length]!;
    const said = LINES[(seed + at + step * 5) % LINES.length]!(word(step), word(step + 1), quote);
    parts.push(`${name}\n${step % 4 === 1 ? '(quietly)\n' : ''}${said}`);
    if (step % 3 === 2)
      parts.push(`A pause, as ${wish.style.toLowerCase()} wants it. ${word(step + 2)} stays in the room.`);
  }
  return parts.join('\n\n');
}

function passages(text: string): string[] {
  return [...text.matchAll(/^BEGIN\n([\s\S]*?)\nEND$/gm)].map(([, inner = '']) => inner);
}

/** A scene or a passage again: shorter where the wish says so, else with the wish told in it. */
function rewritten(text: string): string {
  const wish = field(text, 'Wish of the author');
  const [scene = '', part] = passages(text);
  const blocks = (part ?? scene).split(/\n\s*\n/);
  const short = /\b(short|shorter|cut|tight|trim|brief)/i.test(wish);
  const told = shorten(wish.replace(/[[\]*_~\n]/g, ' '), 120);
  if (part !== undefined) {
    const [first = '', ...rest] = part.split('\n');
    if (rest.length === 0)
      return short ? shorten(first, Math.max(12, Math.floor(first.length / 2))) : `${first} (${told}.)`;
    return [first, ...(short ? rest.slice(0, 1) : [...rest, `I mean it: ${told}.`])].join('\n');
  }
  const [heading = 'INT. SOMEWHERE - DAY', ...rest] = blocks;
  if (short) return [heading, ...rest.slice(0, Math.max(1, Math.ceil(rest.length / 2)))].join('\n\n');
  return [heading, `The stand-in has read the wish and plays it: ${told}.`, ...rest].join('\n\n');
}

/** The screenplay, or the scene anew. Same request, same answer. */
export function composeScreenplay(messages: Message[]): string {
  const users = messages.filter(({ role }) => role === 'user');
  if (isRewrite(messages)) return rewritten(users.at(-1)?.text ?? '');
  // A correction asks again for what the first message wished.
  const wish = wishOf(users[0]?.text ?? '');
  const scenes = Math.max(2, Math.min(12, wish.minutes));
  const lines = Math.max(3, Math.round((wish.minutes * 10) / scenes));
  const title = shorten(wordsOf(wish.scene).slice(0, 5).join(' '), 40) || 'Untitled';
  const body = Array.from({ length: scenes }, (_, at) => sceneOf(wish, at, lines));
  return `Title: ${title.charAt(0).toUpperCase()}${title.slice(1)}\n\nFADE IN:\n\n${body.join('\n\nCUT TO:\n\n')}\n\n> THE END <\n`;
}
