import { type ReactNode, useId } from 'react';
import { inWords, type Length, lengths, wordRanges } from '../../contract.ts';

interface ChoiceFieldProps<T extends string> {
  label: string;
  names: Record<T, string>;
  value: T;
  onChange: (value: T) => void;
}

/** One of a few words, by a list that opens. */
export function ChoiceField<T extends string>({ label, names, value, onChange }: ChoiceFieldProps<T>) {
  const known = Object.keys(names) as T[];
  return (
    <label className="field">
      <span className="label">{label}</span>
      <select
        className="select"
        value={value}
        onChange={(event) => {
          const chosen = known.find((each) => each === event.target.value);
          if (chosen) onChange(chosen);
        }}
      >
        {known.map((each) => (
          <option key={each} value={each}>
            {names[each]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The lengths with what they promise. */
export function LengthField({ value, onChange }: { value: Length; onChange: (length: Length) => void }) {
  return (
    <fieldset className="field">
      <legend className="label writer-legend">Length</legend>
      <div className="writer-lengths">
        {lengths.map((length) => (
          <label key={length} className="choice writer-length">
            <input
              type="radio"
              name="length"
              value={length}
              checked={value === length}
              onChange={() => onChange(length)}
            />
            <span className="choice-text">
              <span className="font-semibold">{wordRanges[length].name}</span>
              <span className="fine">{inWords(wordRanges[length])}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface GoProps {
  /** What the press does, and what it costs. */
  label: string;
  /** Why nothing can be begun, or what is to be known before it is. */
  hint: ReactNode;
  disabled: boolean;
  /** The press stops what is being written. */
  stops: boolean;
  buttonRef: React.Ref<HTMLButtonElement>;
}

/** The button of the form; one that cannot be pressed can be reached and says why. */
export function Go({ label, hint, disabled, stops, buttonRef }: GoProps) {
  const id = useId();
  return (
    <div className="writer-go">
      <button
        ref={buttonRef}
        type="submit"
        className={`btn btn-lg ${stops ? 'btn-secondary' : 'btn-primary'}`}
        aria-disabled={disabled || undefined}
        aria-describedby={id}
      >
        {label}
      </button>
      <p className="fine" id={id}>
        {hint}
      </p>
    </div>
  );
}
