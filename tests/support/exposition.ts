import { parser } from '@prometheus-io/lezer-promql';

export interface Series {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/**
 * Parses Prometheus' text format as strictly as its specification:
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 * @throws at the first invalid line
 */
export function readExposition(text: string): Series[] {
  const types = new Map<string, string>();
  const seen = new Set<string>();
  const all: Series[] = [];
  if (!text.endsWith('\n')) throw new Error('The last line does not end.');
  for (const line of text.split('\n').slice(0, -1)) {
    if (line === '' || /^# HELP [a-zA-Z_:][\w:]* [^\r]*$/.test(line)) continue;
    const [, typedName, type] =
      /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary|untyped)$/.exec(line) ?? [];
    if (typedName && type) {
      if (types.has(typedName)) throw new Error(`${typedName} has two types.`);
      types.set(typedName, type);
      continue;
    }
    const [, name = '', block = '', value = ''] =
      /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ([-+]?(?:\d[\d.e+-]*|Inf)|nan)$/i.exec(line) ?? [];
    const labels = Object.fromEntries(
      [...block.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/g)].map(([, key, labelValue]) => [
        key,
        labelValue,
      ]),
    ) as Record<string, string>;
    const serialized = Object.entries(labels).map(([key, labelValue]) => `${key}="${labelValue}"`);
    const family = types.get(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
    if (name === '' || serialized.join() !== block || !types.has(family))
      throw new Error(`Not a sample: ${line}`);
    if (types.get(family) === 'counter' && !name.endsWith('_total'))
      throw new Error(`The counter ${name} does not end in _total.`);
    const id = `${name}{${serialized.toSorted().join()}}`;
    if (seen.has(id)) throw new Error(`${id} is there twice.`);
    seen.add(id);
    all.push({ name, labels, value: Number(value.replace('Inf', 'Infinity')) });
  }
  return all;
}

interface Matcher {
  label: string;
  op: string;
  value: string;
}

export interface Selector {
  name: string;
  matchers: Matcher[];
}

/** Returns the series selectors of a PromQL expression. @throws when it cannot be parsed */
export function selectorsOf(expression: string): Selector[] {
  const found: Selector[] = [];
  const textOf = ({ from, to }: { from: number; to: number }) => expression.slice(from, to);
  parser.parse(expression).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`Not PromQL at ${node.from}: ${expression}`);
      const last = found.at(-1);
      if (node.name === 'VectorSelector') found.push({ name: '', matchers: [] });
      else if (node.name === 'Identifier' && last) last.name = textOf(node);
      else if (node.name === 'UnquotedLabelMatcher') {
        const [, label = '', op = '', value = ''] =
          /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/s.exec(textOf(node)) ?? [];
        last?.matchers.push({ label, op, value });
      }
    },
  });
  return found;
}
