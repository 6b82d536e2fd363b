/** Stands for a minus, which is no hyphen. */
const MINUS = '\u0001';
/** Words whose fold is kept: a document repeats its words. */
const KEPT = 20_000;
const KEPT_LENGTH = 40;

/** Letters of scripts that put no blank between words, or where one sign says much. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * A text as it is compared: letters and figures alone, without case, marks and forms; of other signs only those that
 * make a figure another one (decimal signs inside, a minus before, per cent and money) are kept.
 */
export function fold(text: string): string {
  if (/^[a-z0-9]*$/i.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/(?<=^|[\s(])[-\u2212](?=\d)/g, MINUS)
    .replace(/(?<!\d)[.,]|[.,](?!\d)|[^\p{L}\p{N}%€$£¥.,\u0001]/gu, '');
}

/** The words of a text as they are compared. */
export const wordsIn = (text: string): string[] =>
  text
    .split(/\s+/)
    .map(fold)
    .filter((word) => word !== '');

/** A function of words that remembers its latest answers, for as long as it is held itself. */
export function remembering<T>(make: (word: string) => T): (word: string) => T {
  const known = new Map<string, T>();
  return (word) => {
    if (word.length > KEPT_LENGTH) return make(word);
    const before = known.get(word);
    if (before !== undefined) return before;
    const made = make(word);
    if (known.size >= KEPT) known.clear();
    known.set(word, made);
    return made;
  };
}

/** English words that say nothing of what a question is about. */
export const common: ReadonlySet<string> = new Set(
  'a an and are as at be been by can did do does for from had has have how i in is it its of on or that the their this to was were what when where which who why will with'.split(
    ' ',
  ),
);

/** More of them, which a question may turn on, but which prove nothing. */
const light = new Set(
  'about above after again all also am although always among another any because before being below between both but could each either else ever every few first further her here hers herself him himself his however if into just last less like made make many may me might more most much must my never new no nor not now off often once one only other others our ours out over own part per rather said same she should since so some still such than them then there these they those though through thus too two under until up upon us use used very via want we well whether while whole whom whose within without would yet you your yours'.split(
    ' ',
  ),
);

/** How many of these folded words say something; a figure does. */
export const telling = (words: readonly string[]): number =>
  words.filter((word) => !common.has(word) && !light.has(word)).length;
