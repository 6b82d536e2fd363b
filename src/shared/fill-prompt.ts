import { m } from '#messages';
import type { Part, Variable } from './parse-prompt.ts';

export type VariableValues = Readonly<Record<string, string>>;

interface FilledPart {
  text: string;
  name: string | null;
  filled: boolean;
}

export function variableValue({ name, default: initial }: Variable, values: VariableValues): string {
  return Object.hasOwn(values, name) ? (values[name] ?? '') : initial;
}

export function valueProblem(variable: Variable, value: string): string | null {
  const { type, required, options, min, max } = variable;
  if (value.trim() === '') return required ? m.prompts_value_missing() : null;
  if (type === 'select') return options.includes(value) ? null : m.prompts_value_option();
  if (type !== 'number') return null;
  const number = Number(value);
  if (!Number.isFinite(number)) return m.prompts_value_number();
  if (min !== null && number < min) return m.prompts_value_least({ least: min });
  if (max !== null && number > max) return m.prompts_value_most({ most: max });
  return null;
}

export const variableLabel = ({ name }: Pick<Variable, 'name'>): string => {
  const words = name.replace(/[_-]+/g, ' ').trim() || name;
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function linesOf(parts: readonly Part[]): Part[][] {
  const lines: Part[][] = [[]];
  for (const part of parts) {
    if ('variable' in part) lines.at(-1)?.push(part);
    else
      for (const [at, text] of part.text.split(/(?<=\n)/).entries()) {
        const line = lines.at(-1);
        if (at > 0 && line && line.length > 0) lines.push([{ text }]);
        else line?.push({ text });
      }
    const last = lines.at(-1)?.at(-1);
    if (last && 'text' in last && last.text.endsWith('\n')) lines.push([]);
  }
  return lines;
}

function unfilledText(line: readonly Part[], values: VariableValues): string | null {
  const words = line.map((part) => {
    if (!('variable' in part)) return part.text;
    return variableValue(part.variable, values).trim() === '' ? '\u0000' : null;
  });
  return words.includes(null) ? null : words.join('').trim();
}

function withoutEmptyLabels(lines: Part[][], values: VariableValues): Part[][] {
  const filledLines: Part[][] = [];
  for (const line of lines) {
    const text = unfilledText(line, values);
    if (text?.endsWith('\u0000') && /:[ \t\u0000]*$/.test(text)) continue;
    if (text !== null && /^\u0000+$/.test(text)) {
      if (unfilledText(filledLines.at(-1) ?? [], values)?.endsWith(':')) filledLines.pop();
      continue;
    }
    filledLines.push(line);
  }
  return filledLines;
}

/**
 * Fills in the values; braces inside them have no meaning. With `open`, empty variables show their labels; otherwise a
 * line that would only have a label without a value is dropped.
 */
export function fillParts(parts: readonly Part[], values: VariableValues, open = false): FilledPart[] {
  const lines = open ? [[...parts]] : withoutEmptyLabels(linesOf(parts), values);
  return lines.flat().map((part) => {
    if (!('variable' in part)) return { text: part.text, name: null, filled: true };
    const value = variableValue(part.variable, values);
    const filled = value.trim() !== '';
    return {
      text: filled ? value : open ? variableLabel(part.variable) : '',
      name: part.variable.name,
      filled,
    };
  });
}

export function fillPrompt(parts: readonly Part[], values: VariableValues): string {
  return fillParts(parts, values)
    .map(({ text }) => text)
    .join('')
    .trim();
}
