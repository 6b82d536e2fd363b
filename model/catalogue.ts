/** A model that `npm run model` can install. Sizes in bytes. */
export interface CatalogueModel {
  id: string;
  name: string;
  licence: string;
  /** Contains a commit, so that the file never changes. */
  url: string;
  bytes: number;
  sha256: string;
  contextTokens: number;
  /** Memory for the weights, the context and the runtime's buffers. */
  memory: number;
}

/**
 * Both models are published by their developer, need no account to download, and support about 29 languages
 * (qwenlm.github.io/blog/qwen2.5). They use four bits per weight.
 */
export const catalogue = {
  usual: {
    id: 'qwen2.5-1.5b-instruct',
    name: 'Qwen2.5 1.5B Instruct',
    licence: 'Apache-2.0',
    url: 'https://huggingface.co/Qwen/Qwen2.5-1.5B-Instruct-GGUF/resolve/91cad51170dc346986eccefdc2dd33a9da36ead9/qwen2.5-1.5b-instruct-q4_k_m.gguf',
    bytes: 1_117_320_736,
    sha256: '6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e',
    contextTokens: 8192,
    memory: 1_900_000_000,
  },
  small: {
    id: 'qwen2.5-0.5b-instruct',
    name: 'Qwen2.5 0.5B Instruct',
    licence: 'Apache-2.0',
    url: 'https://huggingface.co/Qwen/Qwen2.5-0.5B-Instruct-GGUF/resolve/9217f5db79a29953eb74d5343926648285ec7e67/qwen2.5-0.5b-instruct-q4_k_m.gguf',
    bytes: 491_400_032,
    sha256: '74a4da8c9fdbcd15bd1f6d01d621410d31c6fc00986f5eb687824e7b93d7a9db',
    contextTokens: 8192,
    memory: 1_000_000_000,
  },
} satisfies Record<string, CatalogueModel>;
