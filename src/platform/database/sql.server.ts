export interface Statement {
  text: string;
  values: unknown[];
}

class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Marks a fragment of SQL from our own source (a column list, an operator). Never pass text from outside. */
export function raw(text: string): Raw {
  return new Raw(text);
}

function isStatement(value: unknown): value is Statement {
  return typeof value === 'object' && value !== null && 'text' in value && 'values' in value;
}

export function sql(strings: TemplateStringsArray, ...values: unknown[]): Statement {
  const out: Statement = { text: strings[0] ?? '', values: [] };
  values.forEach((value, index) => {
    if (value instanceof Raw) out.text += value.text;
    else if (isStatement(value)) out.text += renumber(value, out);
    else out.text += `$${out.values.push(value)}`;
    out.text += strings[index + 1] ?? '';
  });
  return out;
}

function renumber(inner: Statement, out: Statement): string {
  const base = out.values.length;
  out.values.push(...inner.values);
  return inner.text.replace(/\$(\d+)/g, (_, n: string) => `$${Number(n) + base}`);
}
