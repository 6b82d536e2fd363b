import { diffWordsWithSpace } from 'diff';
import { memo } from 'react';

/** UTF-16 units up to which words are compared; longer passages are shown one after the other. */
const LIMIT = 6_000;

function partsOf(before: string, after: string) {
  if (before.length <= LIMIT && after.length <= LIMIT * 2) return diffWordsWithSpace(before, after);
  return [
    { value: before, removed: true, added: false },
    { value: `\n${after}`, removed: false, added: true },
  ];
}

interface WordDiffProps {
  before: string;
  after: string;
}

export const WordDiff = memo(function WordDiff({ before, after }: WordDiffProps) {
  return partsOf(before, after).map(({ value, added, removed }, at) => {
    const Tag = added ? 'ins' : removed ? 'del' : 'span';
    // Keeps a word apart from its replacement.
    const tagClass = added
      ? 'mark no-underline forced-colors:underline print:underline [del+&]:ms-[0.2em]'
      : removed
        ? 'text-fg-muted'
        : undefined;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other key
      <Tag key={at} className={tagClass}>
        {value}
      </Tag>
    );
  });
});
