import { site } from '../../../../content/site.ts';
import { welcomeCredits } from '../../../features/credits/contract.ts';

export function Hero() {
  return (
    <div className="hero">
      <h1 className="display">
        {site.hero[0]} <span className="mark">{site.hero[1]}</span>
      </h1>
      <div>
        <p className="lead">
          Ask, draft and revise in a chat that keeps every thread. One credit balance for every tool.
        </p>
        <div className="row mt-6">
          <a className="btn btn-primary btn-lg" href="/chat">
            Start a chat
          </a>
          <a className="btn btn-secondary btn-lg" href="#tools">
            See the tools
          </a>
        </div>
        <p className="fine mt-4">
          {welcomeCredits} credits free. No card. Not affiliated with any model provider.
        </p>
      </div>
    </div>
  );
}
