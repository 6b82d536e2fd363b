const variableTypes = ['text', 'textarea', 'select', 'number'] as const;
type VariableType = (typeof variableTypes)[number];

export interface Variable {
  name: string;
  type: VariableType;
  required: boolean;
  default: string;
  placeholder: string;
  options: string[];
  min: number | null;
  max: number | null;
}

export type Part = { text: string } | { variable: Variable; source: string };

/** Characters; a longer variable is treated as text. Bounds the work for hostile input. */
const MAX_VARIABLE_LENGTH = 1_000;
const MAX_OPTIONS = 40;

const nameAt = /[\p{L}_][\p{L}\p{N}_-]{0,39}/uy;
const blanksAt = /[ \t]*/y;
const typeAt = /text(?:area)?|select|number/y;
const propertyAt = /(options|default|placeholder|min|max|required)(=?)/y;
const textAt = /"(?:[^"\\\n]|\\["\\])*"/y;
const numberAt = /-?\d{1,9}(?:\.\d{1,6})?/y;

class Reader {
  at: number;
  readonly source: string;
  constructor(source: string, at: number) {
    this.source = source;
    this.at = at;
  }

  read(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source)?.[0] ?? null;
    if (found !== null) this.at += found.length;
    return found;
  }

  accept(token: string): boolean {
    this.read(blanksAt);
    if (!this.source.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }

  text(): string | null {
    this.read(blanksAt);
    return (
      this.read(textAt)
        ?.slice(1, -1)
        .replace(/\\(["\\])/g, '$1') ?? null
    );
  }

  list(): string[] | null {
    if (!this.accept('[')) return null;
    const found: string[] = [];
    do {
      const text = this.text();
      if (text === null || text === '' || found.length === MAX_OPTIONS) return null;
      found.push(text);
    } while (this.accept(','));
    return this.accept(']') ? [...new Set(found)] : null;
  }

  number(): number | null {
    this.read(blanksAt);
    const found = this.read(numberAt);
    return found === null ? null : Number(found);
  }
}

type Properties = Pick<Variable, 'required' | 'default' | 'placeholder' | 'options' | 'min' | 'max'>;

function readProperty(reader: Reader, target: Properties): boolean {
  reader.read(blanksAt);
  propertyAt.lastIndex = reader.at;
  const [match = '', name = '', equals = ''] = propertyAt.exec(reader.source) ?? [];
  reader.at += match.length;
  if (match === '' || (name === 'required') !== (equals === '')) return false;
  if (name === 'required') target.required = true;
  else if (name === 'options') {
    const options = reader.list();
    if (options === null) return false;
    target.options = options;
  } else if (name === 'min' || name === 'max') {
    const value = reader.number();
    if (value === null) return false;
    target[name] = value;
  } else {
    const number = name === 'default' ? reader.number() : null;
    const value = number === null ? reader.text() : String(number);
    if (value === null) return false;
    target[name as 'default' | 'placeholder'] = value;
  }
  return true;
}

const inRange = (value: number, { min, max }: Pick<Variable, 'min' | 'max'>) =>
  Number.isFinite(value) && (min === null || value >= min) && (max === null || value <= max);

function isConsistent(variable: Variable): boolean {
  const { type, options, min, max, default: initial } = variable;
  if ((type === 'select') !== options.length > 0) return false;
  if (type === 'select') return initial === '' || options.includes(initial);
  if (type !== 'number') return min === null && max === null;
  if (min !== null && max !== null && min > max) return false;
  return initial === '' || inRange(Number(initial), variable);
}

function variableAt(source: string, at: number): { variable: Variable; length: number } | null {
  const reader = new Reader(source.slice(at, at + MAX_VARIABLE_LENGTH), 2);
  reader.read(blanksAt);
  const name = reader.read(nameAt);
  if (name === null) return null;
  const properties: Properties = {
    required: false,
    default: '',
    placeholder: '',
    options: [],
    min: null,
    max: null,
  };
  let type: VariableType = 'text';
  if (reader.accept('|')) {
    reader.read(blanksAt);
    const typeName = reader.read(typeAt);
    if (typeName !== null) type = typeName as VariableType;
    while (reader.accept(':')) if (!readProperty(reader, properties)) return null;
  }
  const variable = { name, type, ...properties };
  return reader.accept('}}') && isConsistent(variable) ? { variable, length: reader.at } : null;
}

/**
 * Parses a prompt into parts that together are the source. `{{name}}` is a variable; `{{tone |
 * select:options=["Formal","Casual"]:default="Formal"}}` is one with a type; other braces are text. A repeated name
 * refers to the first variable. Linear in the length.
 */
export function parsePrompt(source: string): Part[] {
  const parts: Part[] = [];
  const variables = new Map<string, Variable>();
  let end = 0;
  for (let at = source.indexOf('{{'); at !== -1; at = source.indexOf('{{', at)) {
    const found = variableAt(source, at);
    if (!found) {
      at += 1;
      continue;
    }
    if (at > end) parts.push({ text: source.slice(end, at) });
    const variable = variables.get(found.variable.name) ?? found.variable;
    variables.set(variable.name, variable);
    end = at + found.length;
    parts.push({ variable, source: source.slice(at, end) });
    at = end;
  }
  if (end < source.length) parts.push({ text: source.slice(end) });
  return parts;
}

export function variablesOf(parts: readonly Part[]): Variable[] {
  return [...new Set(parts.flatMap((part) => ('variable' in part ? [part.variable] : [])))];
}
