import { welcomeCredits } from '#features/credits/contract.ts';
import { m } from '#messages';
import { sentenceSeparator } from '#shared/join-sentences.ts';
import { ToolBox } from './tool-box.tsx';

export function Hero() {
  return (
    <section className="hero pt-8 max-md:pt-5 max-[22rem]:pt-3" aria-labelledby="hero-title">
      <h1 className="h1 text-balance" id="hero-title">
        {m.home_hero()}
      </h1>
      <p className="lead max-w-none mt-2 mb-5 max-md:text-md max-md:mb-4 max-[22rem]:text-sm">
        {m.home_lead()}
        <span data-when="out">
          {sentenceSeparator()}
          {m.home_lead_credits({ count: welcomeCredits() })}
        </span>
      </p>
      <ToolBox />
    </section>
  );
}
