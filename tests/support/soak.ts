import process from 'node:process';

/** Whether this run is `npm run test:soak`, which takes whole samples where `npm test` takes small ones. */
export const soak = process.env.SOAK === 'true';

/** The size of a sample: few for `npm test`, many for `npm run test:soak`. */
export const sampled = (few: number, many: number): number => (soak ? many : few);

/** A bound of time or memory. It holds in the soak, where nothing else runs; elsewhere the work must only end. */
export function expectWithin(value: number, bound: number, unit = 'ms'): void {
  if (soak && !(value < bound)) throw new Error(`It took ${Math.round(value)} ${unit}, not ${bound}.`);
}

/** Of the cases of one rule every third; the soak takes them all. */
export const sampleOf = <const Case>(cases: readonly Case[]): Case[] =>
  cases.filter((_, at) => soak || at % 3 === 0);
