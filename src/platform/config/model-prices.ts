/** In US dollars: per million tokens of input and of output, and per call. */
export interface ModelPrice {
  input: number;
  output: number;
  call: number;
}

export const anyModel = '*';

const parseAmount = (text: string): number =>
  /^\d{1,6}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;

function parsePrice(text: string): ModelPrice | null {
  const amounts = text.split('/').map((part) => parseAmount(part.trim()));
  const [first = Number.NaN, second] = amounts;
  if (amounts.length > 2 || amounts.some(Number.isNaN)) return null;
  return second === undefined
    ? { input: 0, output: 0, call: first }
    : { input: first, output: second, call: 0 };
}

export function parseModelPrices(text: string): Map<string, ModelPrice> | null {
  const prices = new Map<string, ModelPrice>();
  for (const entry of text.split(',')) {
    const at = entry.lastIndexOf('=');
    const [model, price] = [entry.slice(0, at).trim(), parsePrice(entry.slice(at + 1))];
    if (at < 1 || model === '' || !price || prices.has(model)) return null;
    prices.set(model, price);
  }
  return prices;
}
