import { Locked } from '../../credits/web/locked.tsx';
import { Sheet } from './sheet/sheet.tsx';

interface SampleProps {
  /** Fountain text of ours. */
  text: string;
  /** The plan of this person does not have the tool. */
  locked: boolean;
  guest: boolean;
  onUpgrade: () => void;
}

const promises = [
  'Screenplays of up to 15 minutes, in five styles',
  'Any scene or line rewritten as you wish, to accept or to discard',
  'Every version kept, exported to Final Draft, Fountain and PDF',
];

/** What the tool makes, by a text of our own that it reads and sets as it does every other. */
export function Sample({ text, locked, guest, onUpgrade }: SampleProps) {
  return (
    <section className="script-sample" aria-label="Sample">
      {locked ? (
        <Locked tool="Script Generator" points={promises} onUpgrade={onUpgrade} />
      ) : (
        <h2 className="h3">{guest ? 'What comes out' : 'Your script appears here'}</h2>
      )}
      <p className="muted">A sample of ours, set as every script is:</p>
      <Sheet text={text} live={null} plain={false} />
    </section>
  );
}
