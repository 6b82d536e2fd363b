import { RadioField } from '#features/tools/web/radio-field.tsx';
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

const lengthOptions = () =>
  lengths.map((value) => ({
    value,
    content: (
      <span className="choice-text grid-cols-[1fr_auto] items-baseline">
        <span className="font-semibold">{wordRanges[value].name()}</span>
        <span className="fine">{formatWordRange(wordRanges[value])}</span>
      </span>
    ),
  }));

export function LengthField({ value, onChange }: { value: Length; onChange: (length: Length) => void }) {
  return (
    <RadioField
      legend={m.writer_length()}
      name="length"
      options={lengthOptions()}
      value={value}
      onChange={onChange}
      classes={{ list: 'grid gap-2', option: 'choice px-3 py-2' }}
    />
  );
}
