/**
 * Answers of the writing tools, recognised by their system instruction. Limit of fidelity: they only use the words of
 * the request.
 */
import type { Message } from './chat-request.ts';
import { fillToWords, sentencesAbout, titleOf } from './prose.ts';
import { extract, isContentWord, mainWords, seedOf, sentencesOf, shorten, wordsOf } from './text.ts';

const systemOf = (messages: Message[]) => messages.find(({ role }) => role === 'system')?.text ?? '';
const usersOf = (messages: Message[]) =>
  messages.filter(({ role }) => role === 'user').map(({ text }) => text);
const field = (text: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? '';
const numbers = (pattern: RegExp, text: string) => pattern.exec(text)?.slice(1).map(Number) ?? [];
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
const half = <T>(items: T[]) => items.slice(0, Math.max(1, Math.ceil(items.length / 2)));

/** Returns a text. `counts` are the word counts that a marker sets for the draft and its correction. */
function finishedText(messages: Message[], counts: number[] | null): string {
  const users = usersOf(messages);
  const request = users[0] ?? '';
  const system = systemOf(messages);
  const seed = seedOf(request) + messages.length;
  const [continuationWords] = numbers(
    /Write the paragraphs that follow its last one, about (\d+) words/,
    users.at(-1) ?? '',
  );
  const [min = 300, max = 500] = numbers(/between (\d+) and (\d+) (?:words|characters)/, system);
  // The answer is English; one of its words counts as two requested characters.
  const charsPerWord = /between \d+ and \d+ characters/.test(system) ? 2 : 1;
  const markedCount = counts?.[messages.filter(({ role }) => role === 'assistant').length];
  const count = markedCount ?? continuationWords ?? Math.round((min + max) / 2 / charsPerWord);
  if (continuationWords) return fillToWords('One thing is left to say.', request, count, seed);
  const opening = 'This text is by the local stand-in, which writes with the words of the wish.';
  const isEmail = /\bis an email\b/.test(system);
  const start = isEmail
    ? `Subject: ${titleOf(request)}\n\nDear reader,\n\n${opening}`
    : `# ${titleOf(request)}\n\n${opening}`;
  return count < 30 ? wordsOf(start).slice(0, count).join(' ') : fillToWords(start, request, count, seed);
}

const SLIPS: [RegExp, string][] = [
  [/\bteh\b/g, 'the'],
  [/\brecieve/g, 'receive'],
  [/\bi\b/g, 'I'],
  [/ {2,}/g, ' '],
  [/ +([,.;:!?])/g, '$1'],
];

function corrected(passage: string): string {
  const text = SLIPS.reduce((result, [slip, correction]) => result.replace(slip, correction), passage);
  const upper = text.replace(/(?:^|[.!?]\s+)\p{Ll}/gu, (start) => start.toUpperCase());
  return /[\p{L}\p{N}]$/u.test(upper) && !/^#/.test(upper) ? `${upper}.` : upper;
}

const CONTRACTIONS = Object.entries({
  ...{ 'do not': 'don’t', 'is not': 'isn’t', cannot: 'can’t', 'it is': 'it’s' },
});

function inTone(passage: string, instruction: string): string {
  const casual = /\bcasual\b/.test(instruction);
  const text = CONTRACTIONS.reduce(
    (result, [long, short]) => (casual ? result.replaceAll(long, short) : result.replaceAll(short, long)),
    passage,
  );
  if (/^\s*(?:#|[-*] |\d+\.)/.test(text)) return text;
  if (casual) return `Honestly, ${lowerFirst(text)}`;
  if (/\bcreative\b/.test(instruction)) return `Picture this: ${text}`;
  return `${/\bacademic\b/.test(instruction) ? 'It can be argued that' : 'To be precise,'} ${lowerFirst(text)}`;
}

function shorter(passage: string): string {
  const sentences = sentencesOf(passage);
  if (sentences.length < 2) return half(passage.split(/\s+/)).join(' ');
  return extract(sentences, Math.ceil(sentences.length / 2))
    .map(({ text }) => text)
    .join(' ');
}

function editedPassage(request: string): string {
  const instruction = request.split('\n\nWhat stands before it:')[0] ?? request;
  const passage = /The passage:\n(=+)\n([\s\S]*)\n\1$/.exec(request)?.[2] ?? request;
  if (/^Shorten\b/.test(instruction)) return shorter(passage);
  if (/^Change the tone\b/.test(instruction)) return inTone(passage, instruction);
  if (/^Correct\b/.test(instruction)) return corrected(passage);
  if (/^Expand\b/.test(instruction)) {
    const count = Math.max(wordsOf(passage).length * 2, 20);
    return fillToWords(passage, passage, count, seedOf(passage)).replace(/\n+#+ .*\n+/g, ' ');
  }
  const customInstruction = /as the person wishes: ([\s\S]*)$/.exec(instruction)?.[1] ?? '';
  if (/upper ?case|capitals/i.test(customInstruction)) return passage.toUpperCase();
  return `${passage} (Changed by the stand-in as wished: ${customInstruction.trim().slice(0, 200)})`;
}

const LINES = [
  'Tell me about {a} once more.',
  'First {a}. Then {b}. I have counted.',
  'You said it yourself: {quote}',
  'And if there is no {a}?',
  'Then {b} is all we have, and {a} was a story.',
  'I never asked for {a}.',
];

/** Returns the names listed in the request, or else capitalised words within the sentences of the scene. */
function namesOf(listed: string, scene: string): string[] {
  const listedNames = listed
    .split(/[,;]| and /)
    .map((name) => /^[\p{L}\p{N} .'-]+/u.exec(name.trim())?.[0] ?? '');
  const leading = scene.match(/\b\p{Lu}\p{Ll}{2,}(?= \p{Ll}+s\b)/gu) ?? [];
  const midSentence = scene.match(/(?<=[\p{Ll},;] )\p{Lu}\p{Ll}{2,}/gu) ?? [];
  const found = [...listedNames, ...[...leading, ...midSentence].filter(isContentWord)];
  const names = found.map((name) => shorten(name, 24).toUpperCase()).filter((name) => /\p{Lu}/u.test(name));
  return [...new Set([...names, 'FIRST VOICE', 'SECOND VOICE'])].slice(
    0,
    Math.max(2, Math.min(4, new Set(names).size)),
  );
}

function screenplay(request: string): string {
  const scene = /^Scene:\n([\s\S]*)/m.exec(request)?.[1]?.trim() || request;
  const style = (field(request, 'Style') || 'Drama').toLowerCase();
  const [minutes = 2] = numbers(/about (\d+) minutes/, request);
  const names = namesOf(field(request, 'Characters'), scene);
  const lines = sentencesAbout(scene, seedOf(scene), LINES, names);
  const words = mainWords(scene, 16).filter(({ word }) => !names.includes(word.toUpperCase()));
  const sentences = sentencesOf(scene);
  const count = Math.max(2, Math.min(12, minutes));
  const scenes = Array.from({ length: count }, (_, at) => {
    const place = (words[at % Math.max(1, words.length)]?.word ?? '').toUpperCase().replace(/[#()]/g, '');
    const quote = shorten(sentences[at % Math.max(1, sentences.length)]?.text ?? scene, 160);
    const heading = `${at % 2 === 0 ? 'INT.' : 'EXT.'} ${/\p{L}/u.test(place) ? place : 'SOMEWHERE'}`;
    const parts = [`${heading} - ${at % 2 === 0 ? 'NIGHT' : 'DAY'}`];
    parts.push(`The local stand-in sets the scene with your own words. ${quote}`);
    for (let step = 0; step < Math.max(3, Math.round((minutes * 10) / count)); step++) {
      const direction = step % 4 === 1 ? '(quietly)\n' : '';
      parts.push(`${names[(at + step) % names.length]}\n${direction}${lines.next().value}`);
      if (step % 3 === 2) parts.push(`A pause, as ${style} wants it. ${place} stays in the room.`);
    }
    return parts.join('\n\n');
  });
  const title = shorten(wordsOf(scene).slice(0, 5).join(' '), 40) || 'Untitled';
  return `Title: ${title.charAt(0).toUpperCase()}${title.slice(1)}\n\nFADE IN:\n\n${scenes.join('\n\nCUT TO:\n\n')}\n\n> THE END <\n`;
}

/** Rewrites a scene or a passage: shorter if the author wishes that, else with the wish quoted in it. */
function rewrittenScene(request: string): string {
  const instruction = field(request, 'Wish of the author');
  const [scene = '', passage] = [...request.matchAll(/^BEGIN\n([\s\S]*?)\nEND$/gm)].map(
    ([, text = '']) => text,
  );
  const short = /\b(short|shorter|cut|tight|trim|brief)/i.test(instruction);
  const quoted = shorten(instruction.replace(/[[\]*_~\n]/g, ' '), 120);
  if (passage === undefined) {
    const [heading = 'INT. SOMEWHERE - DAY', ...rest] = scene.split(/\n\s*\n/);
    const expanded = [`The stand-in has read the wish and plays it: ${quoted}.`, ...rest];
    return [heading, ...(short ? half(rest) : expanded)].join('\n\n');
  }
  const [first = '', ...rest] = passage.split('\n');
  if (rest.length > 0)
    return [first, ...(short ? rest.slice(0, 1) : [...rest, `I mean it: ${quoted}.`])].join('\n');
  return short ? shorten(first, Math.max(12, Math.floor(first.length / 2))) : `${first} (${quoted}.)`;
}

const isFinishedText = (messages: Message[]) =>
  /^You write finished texts in Markdown\b/.test(systemOf(messages));

export function answerInProse(messages: Message[], counts: number[] | null): string | null {
  const system = systemOf(messages);
  const users = usersOf(messages);
  if (isFinishedText(messages)) return finishedText(messages, counts);
  if (/^You edit one passage of a text\b/.test(system)) return editedPassage(users.at(-1) ?? '');
  if (/^You rewrite one scene of a screenplay/.test(system)) return rewrittenScene(users.at(-1) ?? '');
  // A correction repeats the request of the first message.
  return /\bscreenplay in Fountain\b/.test(system) ? screenplay(users[0] ?? '') : null;
}

/** Returns the message that describes the text: the first one, because later ones only correct its length. */
export function plannedText(messages: Message[], last: string): string {
  return isFinishedText(messages) ? (usersOf(messages)[0] ?? '') : last;
}
