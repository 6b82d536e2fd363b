import { createOutbound } from '#platform/outbound/outbound.server.ts';

interface Candidate {
  name: string;
  origin: string;
}

/** Their default addresses. */
const DEFAULT_CANDIDATES: readonly Candidate[] = [
  { name: 'Ollama', origin: 'http://127.0.0.1:11434' },
  { name: 'LM Studio', origin: 'http://127.0.0.1:1234' },
  { name: 'llama.cpp', origin: 'http://127.0.0.1:8080' },
];

const BOUNDS = { connectMs: 200, firstByteMs: 300, totalMs: 300, maxBytes: 256 * 1024 };

/** Names that need no quoting on a command line. */
const SAFE_NAME = /^[\w./:@-]{1,200}$/;

async function findModel({ origin }: Candidate): Promise<string | null> {
  const outbound = createOutbound({ origins: [origin] });
  try {
    const response = await outbound.request(`${origin}/v1/models`, BOUNDS);
    const { data } = JSON.parse(await response.text()) as { data?: unknown };
    if (response.status !== 200 || !Array.isArray(data)) return null;
    const ids = data.map((each: { id?: unknown } | null) => each?.id);
    return (
      ids.find((id): id is string => typeof id === 'string' && SAFE_NAME.test(id) && !/embed/i.test(id)) ??
      null
    );
  } catch {
    return null;
  } finally {
    outbound.close();
  }
}

/** Returns a hint how to use a model server on this machine, or null if none answers within 0.3 s. */
export async function modelServerHint(
  candidates: readonly Candidate[] = DEFAULT_CANDIDATES,
): Promise<string | null> {
  const models = await Promise.all(candidates.map(findModel));
  const index = models.findIndex((model) => model !== null);
  const candidate = candidates[index];
  return candidate
    ? `${candidate.name} is running on this machine. To use it: LLM_BASE_URL=${candidate.origin}/v1 LLM_MODEL=${models[index]} npm start`
    : null;
}
