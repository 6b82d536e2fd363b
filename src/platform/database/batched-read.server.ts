/** Most reads at a time. With two, a dead connection holds up only half of the reads until it times out. */
const MAX_RUNNING = 2;

interface Waiting<Input, Row> {
  input: Input;
  resolve(row: Row | null): void;
  reject(error: unknown): void;
}

/**
 * Reads an input immediately while fewer than MAX_RUNNING reads are running; inputs that arrive otherwise share the
 * next read. @param read returns the rows by the keys of their inputs.
 */
export function batchedRead<Input, Row>(
  keyOf: (input: Input) => string,
  read: (inputs: Input[]) => Promise<Map<string, Row>>,
): (input: Input) => Promise<Row | null> {
  let waiting: Waiting<Input, Row>[] = [];
  let running = 0;

  async function readWaiting(): Promise<void> {
    const batch = waiting;
    waiting = [];
    running++;
    try {
      const rows = await read(batch.map(({ input }) => input));
      for (const { input, resolve } of batch) resolve(rows.get(keyOf(input)) ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    running--;
    if (waiting.length > 0) void readWaiting();
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (running < MAX_RUNNING) void readWaiting();
    });
}
