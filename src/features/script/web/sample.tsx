import { Sheet } from './sheet/sheet.tsx';

interface SampleProps {
  /** Fountain text of ours. */
  text: string;
  /** The plan of this person does not have the tool. */
  locked: boolean;
  guest: boolean;
  onUpgrade: () => void;
}

/** What the tool makes, by a text of our own that it reads and sets as it does every other. */
export function Sample({ text, locked, guest, onUpgrade }: SampleProps) {
  return (
    <section className="script-sample" aria-labelledby="sample-title">
      {locked ? (
        <div className="script-locked">
          <h2 className="h3" id="sample-title">
            The Script Generator is part of Pro
          </h2>
          <ul className="tick-list">
            <li>Screenplays of up to 15 minutes, in five styles</li>
            <li>Any scene or line rewritten as you wish, to accept or to discard</li>
            <li>Every version kept, exported to Final Draft, Fountain and PDF</li>
          </ul>
          <button type="button" className="btn btn-mark btn-lg" onClick={onUpgrade}>
            Go Pro
          </button>
        </div>
      ) : (
        <h2 className="h3" id="sample-title">
          {guest ? 'What comes out' : 'Your script appears here'}
        </h2>
      )}
      <p className="muted">A sample of ours, set as every script is:</p>
      <Sheet text={text} live={null} plain={false} />
    </section>
  );
}
