import { m } from '#messages';
import { formatWordRange, type Length, lengths, wordRanges } from '../contract.ts';

interface ChoiceFieldProps<T extends string> {
  label: string;
  names: Record<T, () => string>;
  value: T;
  onChange: (value: T) => void;
}

export function ChoiceField<T extends string>({ label, names, value, onChange }: ChoiceFieldProps<T>) {
  const known = Object.keys(names) as T[];
  return (
    <label className="field">
      <span className="label">{label}</span>
      <select
        className="select lg:ps-2.5 lg:text-sm"
        value={value}
        onChange={(event) => {
          const chosen = known.find((each) => each === event.target.value);
          if (chosen) onChange(chosen);
        }}
      >
        {known.map((each) => (
          <option key={each} value={each}>
            {names[each]()}
          </option>
        ))}
      </select>
    </label>
  );
}

export function LengthField({ value, onChange }: { value: Length; onChange: (length: Length) => void }) {
  return (
    <fieldset>
      <legend className="label mb-1.5">{m.writer_length()}</legend>
      <div className="grid gap-2">
        {lengths.map((length) => (
          <label key={length} className="choice px-3 py-2">
            <input
              type="radio"
              name="length"
              value={length}
              checked={value === length}
              onChange={() => onChange(length)}
            />
            <span className="choice-text grid-cols-[1fr_auto] items-baseline">
              <span className="font-semibold">{wordRanges[length].name()}</span>
              <span className="fine">{formatWordRange(wordRanges[length])}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
