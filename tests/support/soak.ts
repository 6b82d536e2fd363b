import process from 'node:process';

/** Whether this run is `npm run test:soak`, which uses whole samples where `npm test` uses small ones. */
export const soak = process.env.SOAK === 'true';

/** Returns the sample size: `few` for `npm test`, `many` for `npm run test:soak`. */
export const sampled = (few: number, many: number): number => (soak ? many : few);

/** Checks a bound of time or memory, in the soak only, where nothing else runs; other runs do not measure. */
export function expectWithin(value: number, bound: number, unit = 'ms'): void {
  if (soak && !(value < bound)) throw new Error(`It took ${Math.round(value)} ${unit}, not ${bound}.`);
}

/** Returns every third case of a rule; the soak runs all of them. */
export const sampleOf = <const Case>(cases: readonly Case[]): Case[] =>
  cases.filter((_, at) => soak || at % 3 === 0);
