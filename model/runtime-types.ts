/** The used part of node-llama-cpp's types: it is installed on demand, so it is missing when the project is checked. */

export interface HistoryItem {
  type: 'system' | 'user' | 'model';
  text?: string;
  response?: string[];
}

export type Grammar = object;

interface Tokenizer {
  readonly isTokenizer?: true;
}

export interface Chat {
  chatWrapper: {
    generateContextState(options: { chatHistory: HistoryItem[] }): {
      contextText: { tokenize(tokenizer: Tokenizer): number[] };
    };
  };
  generateResponse(
    history: HistoryItem[],
    options: {
      onTextChunk(text: string): void;
      signal: AbortSignal;
      stopOnAbortSignal: true;
      maxTokens: number;
      temperature: number;
      minP: number;
      grammar?: Grammar;
      contextShift: { strategy(): never };
    },
  ): Promise<{ metadata: { stopReason: string } }>;
}

interface Sequence {
  tokenMeter: { usedOutputTokens: number };
}

interface Context {
  contextSize: number;
  getSequence(): Sequence;
}

interface Model {
  trainContextSize: number;
  tokenizer: Tokenizer;
  createContext(options: { contextSize: number; sequences: number; threads: number }): Promise<Context>;
}

export interface Llama {
  loadModel(options: { modelPath: string }): Promise<Model>;
  createGrammarForJsonSchema(schema: object): Promise<Grammar>;
  getGrammarFor(name: 'json'): Promise<Grammar>;
}

export interface Runtime {
  getLlama(options: {
    build: 'never';
    gpu: 'auto' | false;
    maxThreads: number;
    logLevel: 'error';
    progressLogs: false;
    dryRun?: boolean;
  }): Promise<Llama>;
  LlamaChat: new (options: { contextSequence: Sequence }) => Chat;
}
