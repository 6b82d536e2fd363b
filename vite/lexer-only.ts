import type { Plugin } from 'vite';

/**
 * Keeps only marked's lexer and tokenizer, which the chat uses. Marked creates an instance of all its parts when it
 * loads, so the bundler would keep its parser and renderers (3 KB compressed) for nothing.
 */
export function lexerOnly(): Plugin {
  return {
    name: 'lexer-only',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /\/marked\/lib\/marked\.esm\.js/ },
      handler(code) {
        const lexer = /(\w+) as Lexer\b/.exec(code)?.[1];
        const tokenizer = /(\w+) as Tokenizer\b/.exec(code)?.[1];
        const end = /var \w+=new \w+;function \w+\(\w+,\w+\)\{return \w+\.parse\(/.exec(code)?.index;
        if (!lexer || !tokenizer || !end) return this.error('marked is built in another way than expected.');
        return {
          code: `${code.slice(0, end)}export{${lexer} as Lexer,${tokenizer} as Tokenizer};`,
          map: null,
        };
      },
    },
  };
}
