import { type ReactNode, useId } from 'react';

interface RadioFieldProps<V extends string | number> {
  legend: string;
  name: string;
  options: readonly { value: V; content: ReactNode }[];
  value: string | number;
  onChange: (value: V) => void;
  error?: string | null;
  /** Classes of the box around the options, of an option and of its radio button. */
  classes: { list: string; option: string; input?: string };
}

export function RadioField<V extends string | number>(props: RadioFieldProps<V>) {
  const { legend, name, options, value, onChange, error, classes } = props;
  const id = useId();
  return (
    <fieldset className="field min-w-0" aria-describedby={error ? id : undefined}>
      <legend className="label mb-1.5">{legend}</legend>
      <div className={classes.list}>
        {options.map(({ value: each, content }) => (
          <label key={each} className={classes.option}>
            <input
              className={classes.input}
              type="radio"
              name={name}
              value={each}
              checked={each === value}
              aria-invalid={error ? true : undefined}
              onChange={() => onChange(each)}
            />
            {content}
          </label>
        ))}
      </div>
      {error ? (
        <p className="hint text-danger" id={id} role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
