import type { Claim } from '#content/site.ts';
import type { SettingKind } from '#platform/settings/setting-kinds.server.ts';
import {
  checkedLines,
  isProblem,
  readTranslations,
  translationParts,
} from '#platform/settings/translated-words.server.ts';
import { codePointLength } from '#shared/input-text.ts';

const lengths = { value: 20, label: 60 } as const;
const maxClaims = 6;

export const claimFormat = 'FIGURE | WHAT IT COUNTS | LANGUAGE: WHAT IT COUNTS';

const partsOf = (line: string) => line.split('|').map((part) => part.trim());

function readClaim(line: string): Claim | { problem: string } {
  const [value = '', ...parts] = partsOf(line);
  if (parts.length === 0) return { problem: `must be ${claimFormat}` };
  if (value === '' || codePointLength(value) > lengths.value || /[<>]/.test(value))
    return { problem: `must begin with a figure of 1 to ${lengths.value} characters` };
  const label = readTranslations(parts, lengths.label);
  return isProblem(label) ? label : { value, label, sample: false };
}

/** Writes a line that `parseClaims` can read back, without `sample`. */
export const formatClaim = ({ value, label }: Claim): string =>
  [...translationParts(value).slice(0, 1), ...translationParts(label)].join(' | ');

/** Parses claims, skipping invalid lines. */
export const parseClaims = (lines: readonly string[]): Claim[] =>
  lines.map(readClaim).flatMap((claim) => (isProblem(claim) ? [] : [claim]));

export const claimsKind = (): SettingKind => ({
  kind: 'lines',
  min: 0,
  max: maxClaims,
  schema: checkedLines(maxClaims, (lines) => {
    const problems = lines
      .map(readClaim)
      .flatMap((claim, at) => (isProblem(claim) ? [`line ${at + 1} ${claim.problem}`] : []));
    return problems[0] ?? null;
  }),
});
