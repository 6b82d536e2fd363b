import { featureTable, inCredits, welcomeCredits } from '../../../features/credits/contract.ts';

/** So many of each, where nothing else is used. */
const bought = (['chat', 'writer', 'image'] as const).map((feature) => ({
  feature,
  times: Math.floor(welcomeCredits / featureTable[feature].price),
}));
const things = { chat: 'chat messages', writer: 'texts', image: 'pictures' };

/** What the credits of a new account are worth. */
export function FirstCredits() {
  return (
    <section className="page-section page-columns tool-credits" aria-labelledby="first-credits">
      <h2 className="h2" id="first-credits">
        What the first {inCredits(welcomeCredits)} buy
      </h2>
      <div>
        <dl>
          {bought.map(({ feature, times }) => (
            <div key={feature}>
              <dt>{things[feature]}</dt>
              <dd>{times}</dd>
            </div>
          ))}
        </dl>
        <p className="muted">
          One or the other, or a mixture of them. What fails gives its credits back, and they do not run out
          with time. Not sure which tool it is? Begin in the chat: it writes, reads attached files and
          explains.
        </p>
        <div className="row">
          <a className="btn btn-primary btn-lg" href="/chat">
            Start a chat
          </a>
          <a className="btn btn-ghost btn-lg" href="/pricing#plans">
            Compare the plans
          </a>
        </div>
      </div>
    </section>
  );
}
