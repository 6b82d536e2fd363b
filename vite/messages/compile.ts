import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** The values of a message by placeholder name: their kind, or the options to choose among. */
export type Placeholders = Record<string, 'text' | 'number' | 'date' | 'tag' | readonly string[]>;

export interface CompiledMessage {
  /** JavaScript for a function of the values `v`; it calls the format that it needs as `i`. */
  code: string;
  placeholders: Placeholders;
  /** The format of src/shared that the code needs as `i`. */
  needs: 'nothing' | 'plain' | 'rich';
}

/** Compiles one message in ICU MessageFormat. @throws SyntaxError if it cannot be parsed. */
export function compileMessage(message: string, locale: string): CompiledMessage {
  const elements = parse(message, { requiresOtherClause: true });
  const placeholders: Placeholders = {};
  collect(elements, placeholders);
  const rich = Object.values(placeholders).includes('tag');
  const writer = new Writer(locale);
  const body = rich ? `i.join(${writer.parts(elements).join(',')})` : writer.text(elements);
  return {
    code: `(${Object.keys(placeholders).length > 0 ? 'v' : ''})=>${body}`,
    placeholders,
    needs: rich ? 'rich' : writer.formats ? 'plain' : 'nothing',
  };
}

/** @throws SyntaxError if one name is used for two kinds of values. */
function collect(elements: readonly MessageFormatElement[], target: Placeholders): void {
  for (const element of elements) {
    const kind = kindOf(element);
    if (kind === null) continue;
    const name = (element as { value: string }).value;
    const known = target[name] ?? 'text';
    if (known === 'text') target[name] = kind;
    else if (kind !== 'text' && String(known) !== String(kind))
      throw new SyntaxError(`{${name}} is used both as ${known} and as ${kind}`);
    if ('children' in element) collect(element.children, target);
    if ('options' in element) for (const { value } of Object.values(element.options)) collect(value, target);
  }
}

function kindOf(element: MessageFormatElement): Placeholders[string] | null {
  switch (element.type) {
    case TYPE.argument:
      return 'text';
    case TYPE.number:
    case TYPE.plural:
      return 'number';
    case TYPE.date:
    case TYPE.time:
      return 'date';
    case TYPE.select:
      return Object.keys(element.options).sort();
    case TYPE.tag:
      return 'tag';
    default:
      return null;
  }
}

class Writer {
  formats = false;
  readonly #locale: string;
  /** The numbers of the enclosing plurals; `#` stands for the innermost. */
  readonly #counts: string[] = [];

  constructor(locale: string) {
    this.#locale = JSON.stringify(locale);
  }

  text(elements: readonly MessageFormatElement[]): string {
    const [only] = elements;
    if (elements.every((element) => element.type === TYPE.literal))
      return JSON.stringify(elements.map(({ value }) => value).join(''));
    if (elements.length === 1 && only && only.type !== TYPE.argument) return this.#part(only);
    const segments = elements.map((element) =>
      element.type === TYPE.literal ? escaped(element.value) : `\${${this.#part(element)}}`,
    );
    return `\`${segments.join('')}\``;
  }

  parts(elements: readonly MessageFormatElement[]): string[] {
    return elements.map((element) => this.#part(element));
  }

  #part(element: MessageFormatElement): string {
    switch (element.type) {
      case TYPE.literal:
        return JSON.stringify(element.value);
      case TYPE.argument:
        return `v.${element.value}`;
      case TYPE.number:
        return this.#number(`v.${element.value}`, element.style);
      case TYPE.pound:
        return this.#number(this.#counts.at(-1) ?? '', null);
      case TYPE.date:
        return this.#date(element.value, element.style, { dateStyle: 'medium' });
      case TYPE.time:
        return this.#date(element.value, element.style, { timeStyle: 'short' });
      case TYPE.select:
        return `(${this.#options(element.options)})[v.${element.value}]()`;
      case TYPE.plural:
        return this.#plural(element);
      case TYPE.tag:
        return `v.${element.value}(${this.text(element.children)})`;
    }
  }

  #plural({ value, offset, options, pluralType }: MessageFormatElement & { type: TYPE.plural }): string {
    this.formats = true;
    const count = offset === 0 ? `v.${value}` : `v.${value}-${offset}`;
    this.#counts.push(count);
    const type = pluralType === 'ordinal' ? ',"ordinal"' : '';
    const code = `i.plural(${this.#locale},v.${value},${count},${this.#options(options)}${type})`;
    this.#counts.pop();
    return code;
  }

  #number(value: string, style: unknown): string {
    this.formats = true;
    const options = parsedOptions(style);
    return `i.number(${this.#locale},${value}${options ? `,${JSON.stringify(options)}` : ''})`;
  }

  #date(name: string, style: unknown, defaults: Intl.DateTimeFormatOptions): string {
    this.formats = true;
    return `i.date(${this.#locale},v.${name},${JSON.stringify(parsedOptions(style) ?? defaults)})`;
  }

  #options(options: Record<string, { value: MessageFormatElement[] }>): string {
    const entries = Object.entries(options).map(
      ([name, { value }]) => `${JSON.stringify(name)}:()=>${this.text(value)}`,
    );
    return `{${entries.join(',')}}`;
  }
}

/** Parses the options of a skeleton (`{when, date, ::MMMd}`). @throws SyntaxError for a named style. */
function parsedOptions(style: unknown): object | undefined {
  if (style === null || style === undefined) return undefined;
  if (typeof style === 'object' && 'parsedOptions' in style) return style.parsedOptions as object;
  throw new SyntaxError(`"${style}" is no skeleton: write ::yMMMd, ::percent and the like`);
}

const escaped = (text: string) => text.replace(/[`\\]|\$\{/g, (character) => `\\${character}`);
