import { inWords, lengths, textTypes, typeNames, wordRanges } from '../contract.ts';

const facts: [name: string, text: string][] = [
  ['Kinds', textTypes.map((type) => typeNames[type]).join(', ')],
  ['Length', lengths.map((length) => `${wordRanges[length].name} ${inWords(wordRanges[length])}`).join('; ')],
  [
    'Promise',
    'The words are counted while it writes. A draft that misses its range is corrected once, at no further cost.',
  ],
  [
    'Editing',
    'In place, by hand or by a suggestion for a passage that you accept or discard. Every version is kept.',
  ],
  ['Export', 'Word, PDF, Markdown and plain text; Copy keeps headings and lists'],
];

/** What stands in the document's place before there is one. */
export function Intro() {
  return (
    <div className="writer-intro">
      <h2 className="h3">What you get</h2>
      <dl className="writer-facts">
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
