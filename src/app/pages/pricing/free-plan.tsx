import { featureTable, inCredits, planLimits, welcomeCredits } from '../../../features/credits/contract.ts';
import { PlanName } from './plan-name.tsx';
import type { OwnPlan } from './pricing-facts.server.ts';

const { chat, writer, image } = featureTable;

const offers = [
  `${inCredits(welcomeCredits)} to start, once, without a card`,
  `A chat message or a text for ${inCredits(Math.max(chat.price, writer.price))}, a picture for ${image.price}`,
  `${planLimits.free.chatsPerDay} new conversations a day`,
  'The prompt library, its Pro prompts apart',
  'Every thread, text and picture kept until you delete it',
];

/** The free half of the panel. */
export function FreePlan({ own }: { own: OwnPlan | null }) {
  return (
    <section aria-labelledby="plan-free">
      <PlanName id="plan-free" name="Free" own={own?.plan === 'free'} />
      <p className="price">$0</p>
      <ul className="tick-list my-5">
        {offers.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {own === null ? (
        <a className="btn btn-secondary btn-lg" href="/sign-in" data-sign-in="">
          Create account
        </a>
      ) : (
        <a className="btn btn-secondary btn-lg" href="/chat">
          Open chat
        </a>
      )}
    </section>
  );
}
