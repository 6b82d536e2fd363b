import { featureTable, welcomeCredits } from '#features/credits/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { TitledSection } from '#ui/titled-section.tsx';

/** Returns how often the welcome credits pay for each tool, if they are used for that tool only. */
const affordableUses = () =>
  (['chat', 'writer', 'image'] as const).map((feature) => ({
    feature,
    times: Math.floor(welcomeCredits() / featureTable[feature].price),
  }));
const unitNames = { chat: m.tools_first_messages, writer: m.tools_first_texts, image: m.tools_first_images };

export function FirstCredits() {
  return (
    <TitledSection id="first-credits" title={m.tools_first({ count: welcomeCredits() })}>
      <div>
        <dl className="grid grid-cols-3 border-y border-t-fg border-line [&>div+div]:border-s [&>div+div]:border-s-line">
          {affordableUses().map(({ feature, times }) => (
            <div className="flex flex-col-reverse justify-end py-4 px-6 first:ps-0 max-md:px-3" key={feature}>
              <dt className="text-sm text-fg-muted">{unitNames[feature]({ count: times })}</dt>
              <dd className="text-2xl font-[650] tracking-tight">{times}</dd>
            </div>
          ))}
        </dl>
        <p className="muted max-w-(--measure) my-5">{m.tools_first_text()}</p>
        <div className="row">
          <Button variant="primary" size="lg" href="/chat">
            {m.home_start_chat()}
          </Button>
          <Button variant="ghost" size="lg" href="/pricing#plans">
            {m.upgrade_compare()}
          </Button>
        </div>
      </div>
    </TitledSection>
  );
}
