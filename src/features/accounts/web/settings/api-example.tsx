import { m } from '#messages';
import { type ApiAddress, keyPrefix } from '../../api-keys/api-keys-contract.ts';

const exampleCode = ({ baseUrl, model }: ApiAddress) => `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: '${baseUrl}',
  apiKey: '${keyPrefix}...',
});
const reply = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'Hello' }],
});
console.log(reply.choices[0].message.content);
`;

export function ApiExample({ api }: { api: ApiAddress }) {
  return (
    <details>
      <summary className="min-h-(--hit) content-center w-max text-sm cursor-pointer link">
        {m.api_key_example()}
      </summary>
      <div className="grid gap-3">
        <p className="muted text-sm">{m.api_key_example_text()}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard */}
        <section className="scroll-x" aria-label={m.api_key_example()} tabIndex={0}>
          <pre className="text-sm" dir="ltr">
            <code>{exampleCode(api)}</code>
          </pre>
        </section>
      </div>
    </details>
  );
}
