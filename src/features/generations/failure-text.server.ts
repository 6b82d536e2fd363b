import { creditTexts } from '#features/credits/contract.ts';
import { m } from '#messages';

/** Runs store the name; the sentence is made when it is shown, in the reader's language. */
const failures = {
  run_failed: m.run_failed,
  run_interrupted: m.run_interrupted,
  run_incomplete: m.run_incomplete,
  run_declined: m.run_declined,
  run_too_long: m.run_too_long,
  run_unfit: m.run_unfit,
  run_refused: m.run_refused,
  run_unserved: m.run_unserved,
  run_spend_cap: creditTexts.spendCap,
} as const;
export type FailureName = keyof typeof failures;

export type FailureTexts = Readonly<Record<string, () => string>>;

const texts = new Map<string, () => string>(Object.entries(failures));

export function registerFailures(toolTexts: FailureTexts): void {
  for (const [name, text] of Object.entries(toolTexts)) texts.set(name, text);
}

/** Returns the sentence for a stored name. Older rows store the sentence itself. */
export function failureText<T extends string | null>(stored: T): T | string {
  return stored === null ? stored : (texts.get(stored)?.() ?? stored);
}
