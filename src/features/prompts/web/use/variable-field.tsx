import { labelOf } from '../../../../shared/prompt-variables/fill.ts';
import type { Variable } from '../../../../shared/prompt-variables/parse.ts';

interface VariableFieldProps {
  id: string;
  variable: Variable;
  value: string;
  /** What it lacks, once that is to be said. */
  fault: string | null;
  onChange: (value: string) => void;
}

/** The limits of a number, in words. */
function rangeOf({ min, max }: Variable): string | null {
  if (min !== null && max !== null) return `${min} to ${max}`;
  if (min !== null) return `${min} or more`;
  return max === null ? null : `${max} or less`;
}

/** One blank of a prompt as a field of a form. */
export function VariableField({ id, variable, value, fault, onChange }: VariableFieldProps) {
  const { type, required, placeholder, options } = variable;
  const range = rangeOf(variable);
  const notes = [range ? `${id}-range` : '', fault ? `${id}-fault` : ''].filter(Boolean).join(' ');
  const shared = {
    id,
    value,
    required,
    'aria-invalid': fault ? true : undefined,
    'aria-describedby': notes || undefined,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <div className="field">
      <label className="label" htmlFor={id} dir="auto">
        {labelOf(variable)}
        {required ? null : <span className="hint font-normal"> (optional)</span>}
      </label>
      {type === 'textarea' ? (
        <textarea className="textarea" rows={4} placeholder={placeholder} dir="auto" {...shared} />
      ) : null}
      {type === 'text' ? (
        <input
          className="input"
          type="text"
          placeholder={placeholder}
          autoComplete="off"
          dir="auto"
          {...shared}
        />
      ) : null}
      {type === 'number' ? (
        <input
          className="input"
          type="text"
          inputMode="decimal"
          placeholder={placeholder}
          autoComplete="off"
          {...shared}
        />
      ) : null}
      {type === 'select' ? (
        <select className="select" {...shared}>
          {required && variable.default !== '' ? null : (
            <option value="">{required ? 'Choose…' : 'Leave open'}</option>
          )}
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : null}
      {range ? (
        <p className="hint" id={`${id}-range`}>
          {range}
        </p>
      ) : null}
      {fault ? (
        <p className="hint prompt-fault" id={`${id}-fault`}>
          {fault}
        </p>
      ) : null}
    </div>
  );
}
