import { writeFileSync } from 'node:fs';

/**
 * A model of the llama architecture with random weights, in GGUF, the format that llama.cpp reads
 * (github.com/ggml-org/ggml/blob/master/docs/gguf.md). It writes nonsense of letters and short words and rarely ends,
 * so that a reply continues until it reaches a limit or is stopped.
 */

const ALIGNMENT = 32;
const U32 = 4;
const F32 = 6;
const BOOL = 7;
const STRING = 8;
const ARRAY = 9;
const I32 = 5;

/** Token types in `tokenizer.ggml.token_type`. */
const NORMAL = 1;
const UNKNOWN = 2;
const CONTROL = 3;
const BYTE = 6;

const WIDTH = 64;
const HEADS = 2;
const INNER = 128;

/** First component of every embedding, which makes the first component of an output row that token's bias. */
const ANCHOR = 8;

const template = `{% for message in messages %}<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`;

interface Token {
  text: string;
  kind: number;
  bias: number;
}

function vocabulary(): Token[] {
  const control = (text: string, bias: number) => ({ text, kind: CONTROL, bias });
  const bytes = Array.from({ length: 256 }, (_, byte) => ({
    text: `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
    kind: BYTE,
    bias: -2,
  }));
  const characters = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
  const words = ['the', 'of', 'and', 'model', 'site', 'Über', 'naïve', '日本', 'שלום', '👋'];
  const normal = (text: string) => ({ text: text.replaceAll(' ', '▁'), kind: NORMAL, bias: 0.2 });
  return [
    { text: '<unk>', kind: UNKNOWN, bias: -2 },
    control('<s>', -2),
    control('</s>', -2),
    control('<|im_start|>', -2),
    control('<|im_end|>', -2),
    ...bytes,
    ...characters.map(normal),
    ...words.map((word) => normal(` ${word}`)),
  ];
}

/** mulberry32 with a fixed seed: the weights are the same on every machine. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const f32 = (values: readonly number[]) => Buffer.from(new Float32Array(values).buffer);
const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);

type Value = readonly [type: number, bytes: Buffer];
const number = (value: number): Value => [U32, u32(value)];
const decimal = (value: number): Value => [F32, f32([value])];
const string = (value: string): Value => [STRING, text(value)];
const boolean = (value: boolean): Value => [BOOL, Buffer.from([value ? 1 : 0])];
const array = (type: number, items: readonly Buffer[]): Value => [
  ARRAY,
  Buffer.concat([u32(type), u64(items.length), ...items]),
];

interface Tensor {
  name: string;
  /** Fastest-varying dimension first, as in ggml. */
  size: readonly number[];
  data: Buffer;
}

function weights(tokens: readonly Token[], blocks: number): Tensor[] {
  const random = randomNumbers(7);
  const matrix = (name: string, columns: number, rows: number, scale = 0.3): Tensor => ({
    name,
    size: [columns, rows],
    data: f32(Array.from({ length: columns * rows }, () => random() * scale)),
  });
  const norm = (name: string): Tensor => ({ name, size: [WIDTH], data: f32(new Array(WIDTH).fill(1)) });
  const withFirstComponent = (tensor: Tensor, biasOf: (token: Token) => number): Tensor => {
    for (const [row, token] of tokens.entries()) tensor.data.writeFloatLE(biasOf(token), row * WIDTH * 4);
    return tensor;
  };
  const block = (at: number): Tensor[] => {
    const name = (part: string) => `blk.${at}.${part}.weight`;
    return [
      norm(name('attn_norm')),
      matrix(name('attn_q'), WIDTH, WIDTH),
      matrix(name('attn_k'), WIDTH, WIDTH),
      matrix(name('attn_v'), WIDTH, WIDTH),
      matrix(name('attn_output'), WIDTH, WIDTH, 0.03),
      norm(name('ffn_norm')),
      matrix(name('ffn_gate'), WIDTH, INNER),
      matrix(name('ffn_up'), WIDTH, INNER),
      matrix(name('ffn_down'), INNER, WIDTH, 0.03),
    ];
  };
  return [
    withFirstComponent(matrix('token_embd.weight', WIDTH, tokens.length, 1), () => ANCHOR),
    ...Array.from({ length: blocks }, (_, at) => block(at)).flat(),
    norm('output_norm.weight'),
    withFirstComponent(matrix('output.weight', WIDTH, tokens.length), (token) => token.bias * 2),
  ];
}

const padded = (bytes: Buffer) =>
  Buffer.concat([bytes, Buffer.alloc((ALIGNMENT - (bytes.length % ALIGNMENT)) % ALIGNMENT)]);

/** @param contextTokens the context length that the model's metadata states */
export function writeTinyModel(
  file: string,
  { contextTokens = 32_768, blocks = 6 }: { contextTokens?: number; blocks?: number } = {},
): void {
  const tokens = vocabulary();
  const tensors = weights(tokens, blocks);
  const fields: Record<string, Value> = {
    'general.architecture': string('llama'),
    'general.name': string('tiny'),
    'general.alignment': number(ALIGNMENT),
    'llama.context_length': number(contextTokens),
    'llama.embedding_length': number(WIDTH),
    'llama.block_count': number(blocks),
    'llama.feed_forward_length': number(INNER),
    'llama.attention.head_count': number(HEADS),
    'llama.attention.layer_norm_rms_epsilon': decimal(1e-5),
    'llama.rope.dimension_count': number(WIDTH / HEADS),
    'llama.vocab_size': number(tokens.length),
    'tokenizer.ggml.model': string('llama'),
    'tokenizer.ggml.tokens': array(
      STRING,
      tokens.map((token) => text(token.text)),
    ),
    'tokenizer.ggml.scores': array(
      F32,
      tokens.map((token) => f32([-token.text.length])),
    ),
    'tokenizer.ggml.token_type': array(
      I32,
      tokens.map((token) => u32(token.kind)),
    ),
    'tokenizer.ggml.unknown_token_id': number(0),
    'tokenizer.ggml.bos_token_id': number(1),
    'tokenizer.ggml.eos_token_id': number(4),
    'tokenizer.ggml.add_bos_token': boolean(false),
    'tokenizer.ggml.add_space_prefix': boolean(false),
    'tokenizer.chat_template': string(template),
  };
  let offset = 0;
  const tensorInfos = tensors.map((tensor) => {
    const tensorInfo = Buffer.concat([
      text(tensor.name),
      u32(tensor.size.length),
      ...tensor.size.map(u64),
      u32(0),
      u64(offset),
    ]);
    offset += padded(tensor.data).length;
    return tensorInfo;
  });
  const head = [
    Buffer.from('GGUF'),
    u32(3),
    u64(tensors.length),
    u64(Object.keys(fields).length),
    ...Object.entries(fields).flatMap(([name, [type, bytes]]) => [text(name), u32(type), bytes]),
    ...tensorInfos,
  ];
  writeFileSync(
    file,
    Buffer.concat([padded(Buffer.concat(head)), ...tensors.map(({ data }) => padded(data))]),
  );
}
