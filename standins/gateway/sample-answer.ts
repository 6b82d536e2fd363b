export const asksForSample = (text: string): boolean =>
  /^\s*show me what a reply can look like\b/i.test(text);

export const SAMPLE_ANSWER = `## What a reply can look like

This is the local stand-in, not a model. It always gives this same sample here, so that you can see how the chat sets each kind of content.

### Text, emphasis and links

A paragraph can hold **bold words**, *words in italics*, ~~words that no longer hold~~, \`inline code\` and [a link](https://www.rfc-editor.org/rfc/rfc9110). Long paragraphs keep a comfortable measure, about as many letters on a line as in a book, and the lines have room to breathe. Nothing in this one has to be read to the end; it is here because replies are often longer than the screen, and a chat that only looks good with short ones is not finished.

### Lists

1. Put the answer first.
2. Give the reasons after it:
   - one that can be checked,
   - one that can be argued with.
3. Say what is not known.

- [x] Written
- [ ] Proofread

### A quote

> If a man will begin with certainties, he shall end in doubts; but if he will be content to begin with doubts, he shall end in certainties.
>
> Francis Bacon, *The Advancement of Learning*, 1605

### A table

| Planet | Day | Year | Moons |
| --- | ---: | ---: | ---: |
| Mercury | 176 days | 88 days | 0 |
| Earth | 24 hours | 365 days | 1 |
| Mars | 24.7 hours | 687 days | 2 |

### Code

\`\`\`typescript
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
\`\`\`

### Math

The roots of $ax^2 + bx + c = 0$ are

$$
x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}
$$

### A longer text

A lighthouse keeper used to write one line a day. Wind, visibility, the ships that passed. After a year the lines had become shorter, and after ten they were almost nothing: a letter for the wind, a stroke for each ship. He could still read every one of them. What had been left out was not lost; it had only moved from the paper into the reader.

Notes to other people work the other way round. Whatever is left out is gone, because nobody else was on the gallery that night. The useful question is therefore not how short a text can be, but what its reader already has. A colleague who was in the meeting needs one sentence. One who was not needs the decision, the reason and the date. Somebody who comes across it next year needs the names spelled out.

---

Ask anything now: the stand-in will answer with your own words. Outside the sandbox a model answers, and this suggestion is gone.
`;
