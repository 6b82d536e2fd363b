import { welcomeCredits } from '#features/credits/contract.ts';
import { LandingFoot } from '#features/tools/web/landing/landing-foot.tsx';
import { LandingSample } from '#features/tools/web/landing/landing-sample.tsx';
import { m } from '#messages';
import { chatLimits } from '../contract.ts';

export default function ChatLanding() {
  return (
    <section className="wrap border-t border-line pt-16 pb-24" aria-labelledby="chat-landing">
      <h2 className="h1" id="chat-landing">
        {m.chat_landing_title()}
      </h2>
      <p className="lead mt-2 max-w-[56rem]">{m.chat_landing_lead()}</p>
      <div className="mt-8 overflow-hidden rounded-lg border border-line [&>section]:border-0">
        <LandingSample
          facts={m.chat_sample_facts()}
          input={{ label: m.chat_sample_question(), text: m.home_sample_chat() }}
        >
          <div className="grid max-w-(--measure) gap-3">
            <p>{m.home_sample_chat_reply({ mark: (text) => <strong>{text}</strong> })}</p>
            <p className="muted">{m.home_sample_chat_note()}</p>
          </div>
        </LandingSample>
      </div>
      <LandingFoot
        feature="chat"
        title={m.chat_landing_title()}
        description={m.chat_landing_description({ credits: welcomeCredits() })}
        unit={m.chat_landing_unit()}
        fairUse={m.chat_landing_fair_use}
        questions={[
          { question: m.chat_faq_model(), answer: m.chat_faq_model_answer({ about: m.chat_about_reply() }) },
          { question: m.chat_faq_files(), answer: m.chat_faq_files_answer() },
          { question: m.chat_faq_saved(), answer: m.chat_faq_saved_answer({ days: chatLimits.restoreDays }) },
        ]}
      />
    </section>
  );
}
