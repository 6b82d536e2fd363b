import { locale } from '#messages';

/** Languages whose sentences follow each other without a blank, of those that a catalogue may be added for. */
const WITHOUT_BLANK = ['ja', 'zh'];

/** What stands between two sentences, in the reader's language. */
export const sentenceGap = (): '' | ' ' => (WITHOUT_BLANK.includes(locale().split('-')[0] ?? '') ? '' : ' ');

/** Sentences as one text; what is empty is left out. */
export const joinSentences = (...sentences: readonly (string | false | null | undefined)[]): string =>
  sentences.filter(Boolean).join(sentenceGap());
