export type ContentPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export interface GatewayMessage {
  role: 'system' | 'user' | 'assistant';
  content: string | ContentPart[];
}

/** Times in milliseconds. `eventBytes` bounds one event, `textBytes` the UTF-8 text of the whole reply. */
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
  /** Called at the head of an answer, a refusal too. */
  onHead?: () => void;
}

/** By the names of OpenAI's protocol, as they are sent. */
export interface Sampling {
  top_p?: number | undefined;
  presence_penalty?: number | undefined;
  frequency_penalty?: number | undefined;
  seed?: number | undefined;
  stop?: string[] | undefined;
}

/** A page that the gateway names as a source of its answer (protocols.md 2.2), unchecked. */
export interface Citation {
  url: string;
  title: string;
}

/** The gateway's own search before its answer: OpenRouter's plugin. */
export interface GatewaySearch {
  maxResults: number;
  /** Stands before what was found, in what the model gets. */
  prompt: string;
}

export interface ChatRequest extends GatewayRequest {
  /** Asked by the gateway where it cannot ask the model. */
  fallbacks?: readonly string[];
  messages: GatewayMessage[];
  temperature?: number;
  maxTokens?: number;
  responseFormat?: unknown;
  sampling?: Sampling;
  search?: GatewaySearch;
  bounds: GatewayBounds;
  /** Of a streamed reply, as clean as its text. */
  onThinking?: (piece: string) => void;
  onCitations?: (citations: Citation[]) => void;
}

/** Null where the gateway says nothing, or nothing believable. Cost in millionths of a USD. */
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
