import { locale } from '#messages';

/** Languages without a space between sentences, including those for which a catalogue may be added. */
const WITHOUT_SPACE = ['ja', 'zh'];

/** Returns the separator between two sentences in the reader's language. */
export const sentenceSeparator = (): '' | ' ' =>
  WITHOUT_SPACE.includes(locale().split('-')[0] ?? '') ? '' : ' ';

/** Joins sentences; skips empty ones. */
export const joinSentences = (...sentences: readonly (string | false | null | undefined)[]): string =>
  sentences.filter(Boolean).join(sentenceSeparator());
