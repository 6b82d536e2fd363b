export type ContentPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export interface GatewayMessage {
  role: 'system' | 'user' | 'assistant';
  content: string | ContentPart[];
}

/** Times in milliseconds. `eventBytes` limits one event, `textBytes` the UTF-8 text of the whole reply. */
export interface GatewayBounds {
  firstByteMs: number;
  idleMs: number;
  totalMs: number;
  eventBytes: number;
  textBytes: number;
}

export interface GatewayRequest {
  baseUrl: string;
  apiKey: string;
  model: string;
  requestId: string;
  referer?: string;
  title?: string;
  signal: AbortSignal;
  /** Called when the headers of an answer arrive, including a refusal. */
  onHead?: () => void;
}

/** Named as in OpenAI's protocol, because they are sent unchanged. */
export interface Sampling {
  top_p?: number | undefined;
  presence_penalty?: number | undefined;
  frequency_penalty?: number | undefined;
  seed?: number | undefined;
  stop?: string[] | undefined;
}

/** A page that the gateway names as a source of its answer (protocols.md 2.2); not validated. */
export interface Citation {
  url: string;
  title: string;
}

/** A web search by the gateway before it answers (OpenRouter's plugin). */
export interface GatewaySearch {
  maxResults: number;
  /** Precedes the search results in the model's input. */
  prompt: string;
}

export interface ChatRequest extends GatewayRequest {
  /** Models that the gateway tries if `model` is unavailable. */
  fallbacks?: readonly string[];
  messages: GatewayMessage[];
  temperature?: number;
  maxTokens?: number;
  responseFormat?: unknown;
  sampling?: Sampling;
  search?: GatewaySearch;
  bounds: GatewayBounds;
  /** Called with pieces of a streamed reply's thinking, as clean as its text. */
  onThinking?: (piece: string) => void;
  onCitations?: (citations: Citation[]) => void;
}

/** A field is null if the gateway reports no plausible value. Cost in millionths of a USD. */
export interface GatewayUsage {
  promptTokens: number | null;
  completionTokens: number | null;
  costMicros: number | null;
}

export type GatewayFinish = 'stop' | 'length' | 'content_filter' | 'bound';

export interface GatewayOutcome {
  finish: GatewayFinish;
  lost?: number;
  model?: string;
  upstreamId?: string;
  usage: GatewayUsage;
}
