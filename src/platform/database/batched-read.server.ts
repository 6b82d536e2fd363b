/** A connection that has gone dead holds up half of what comes, until it is given up. */
const UNDER_WAY = 2;

interface Waiting<Input, Row> {
  input: Input;
  resolve(row: Row | null): void;
  reject(error: unknown): void;
}

/**
 * Where little happens each read is a statement of its own, at once; what comes while some are under way goes together in
 * the next. @param read answers the rows by the keys of their inputs.
 */
export function batchedRead<Input, Row>(
  keyOf: (input: Input) => string,
  read: (inputs: Input[]) => Promise<Map<string, Row>>,
): (input: Input) => Promise<Row | null> {
  let waiting: Waiting<Input, Row>[] = [];
  let underWay = 0;

  async function readWaiting(): Promise<void> {
    const batch = waiting;
    waiting = [];
    underWay++;
    try {
      const rows = await read(batch.map(({ input }) => input));
      for (const { input, resolve } of batch) resolve(rows.get(keyOf(input)) ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    underWay--;
    if (waiting.length > 0) void readWaiting();
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (underWay < UNDER_WAY) void readWaiting();
    });
}
