/** Stands for a minus, to distinguish it from a hyphen. */
const MINUS = '\u0001';

/** Longer words are ignored: no quote is this long, and no real text contains them. */
export const MAX_WORD_LENGTH = 5_000;

/** Letters of scripts without spaces between words, or in which one character carries much meaning. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Documents repeat characters and words: the caches hold this many, and only words of up to CACHED_LENGTH units. */
const CACHE_SIZE = 20_000;
const CACHED_LENGTH = 40;
const foldedCharacters = new Map<string, string>();
const foldedWords = new Map<string, FoldedText>();

function foldCharacter(character: string): string {
  let folded = foldedCharacters.get(character);
  if (folded === undefined) {
    const plain = character
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{M}+/gu, '')
      // Sigma has a special form at the end of a word, which a word in capitals does not show.
      .replace('ς', 'σ');
    folded = /^[.,\u2212-]$/.test(plain) ? plain : plain.replace(/[^\p{L}\p{N}%€$£¥]/gu, '');
    if (foldedCharacters.size >= CACHE_SIZE) foldedCharacters.clear();
    foldedCharacters.set(character, folded);
  }
  return folded;
}

const isDigit = (character: string | undefined) =>
  character !== undefined && /\d/.test(character.normalize('NFKD'));

interface FoldedText {
  letters: string;
  offsets: readonly number[];
}

function fold(text: string): FoldedText {
  let letters = '';
  const offsets: number[] = [];
  for (let at = 0; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at)!);
    const [before, after] = [text[at - 1], text[at + character.length]];
    let folded = foldCharacter(character);
    if (folded === '.' || folded === ',') folded = isDigit(before) && isDigit(after) ? folded : '';
    else if (folded === '-' || folded === '\u2212')
      folded = /[\s([]/.test(before ?? ' ') && isDigit(after) ? MINUS : '';
    for (let unit = 0; unit < folded.length; unit++) offsets.push(at);
    letters += folded;
    at += character.length;
  }
  return { letters, offsets };
}

/**
 * Folds a text for comparison: only letters and digits remain, without case, accents and letter forms. Other characters
 * are kept only where they change a number: decimal separators inside, a leading minus, percent and currency signs.
 */
export function foldText(text: string): FoldedText {
  if (text.length > CACHED_LENGTH) return fold(text);
  const cached = foldedWords.get(text);
  if (cached) return cached;
  if (foldedWords.size >= CACHE_SIZE) foldedWords.clear();
  const folded = fold(text);
  foldedWords.set(text, folded);
  return folded;
}

export const normalize = (text: string): string => foldText(text).letters;

export const normalizedWords = (text: string): string[] =>
  text
    .split(/\s+/)
    .map(normalize)
    .filter((word) => word !== '');

export const stopWords: ReadonlySet<string> = new Set(
  'a an and are as at be been by can did do does for from had has have how i in is it its of on or that the their this to was were what when where which who why will with'.split(
    ' ',
  ),
);

/** Further words that may matter in a question but prove nothing in a quote. */
const weakWords = new Set(
  'about above after again all also am although always among another any because before being below between both but could each either else ever every few first further her here hers herself him himself his however if into just last less like made make many may me might more most much must my never new no nor not now off often once one only other others our ours out over own part per rather said same she should since so some still such than them then there these they those though through thus too two under until up upon us use used very via want we well whether while whole whom whose within without would yet you your yours'.split(
    ' ',
  ),
);

export const countMeaningfulWords = (words: readonly string[]): number =>
  words.filter((word) => !stopWords.has(word) && !weakWords.has(word)).length;
