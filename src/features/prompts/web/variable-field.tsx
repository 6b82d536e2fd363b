import { m } from '#messages';
import { variableLabel } from '#shared/fill-prompt.ts';
import type { Variable } from '#shared/parse-prompt.ts';
import { Field } from '#ui/field.tsx';

interface VariableFieldProps {
  id: string;
  variable: Variable;
  value: string;
  problem: string | null;
  onChange: (value: string) => void;
}

function describeRange({ min, max }: Variable): string | null {
  if (min !== null && max !== null) return m.prompts_range({ min, max });
  if (min !== null) return m.prompts_range_min({ min });
  return max === null ? null : m.prompts_range_max({ max });
}

export function VariableField({ id, variable, value, problem, onChange }: VariableFieldProps) {
  const { type, required, placeholder, options } = variable;
  const range = describeRange(variable);
  const shared = {
    value,
    required,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <Field
      id={id}
      label={<bdi>{variableLabel(variable)}</bdi>}
      optional={!required}
      hint={range}
      error={problem}
    >
      {(control) => (
        <>
          {type === 'textarea' ? (
            <textarea
              className="textarea"
              rows={4}
              placeholder={placeholder}
              dir="auto"
              {...control}
              {...shared}
            />
          ) : null}
          {type === 'text' ? (
            <input
              className="input"
              type="text"
              placeholder={placeholder}
              autoComplete="off"
              dir="auto"
              {...control}
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
              {...control}
              {...shared}
            />
          ) : null}
          {type === 'select' ? (
            <select className="select" {...control} {...shared}>
              {required && variable.default !== '' ? null : (
                <option value="">{required ? m.prompts_choose() : m.prompts_leave_open()}</option>
              )}
              {options.map((option) => (
                <option key={option}>{option}</option>
              ))}
            </select>
          ) : null}
        </>
      )}
    </Field>
  );
}
