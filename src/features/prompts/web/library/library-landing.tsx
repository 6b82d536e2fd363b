import type { LandingPartProps } from '#features/tools/web/landing/landing-parts.tsx';
import { ToolLanding } from '#features/tools/web/landing/tool-landing.tsx';
import { m } from '#messages';

export default function LibraryLanding({ part }: LandingPartProps) {
  return (
    <ToolLanding
      part={part}
      feature="prompts"
      title={m.prompts_landing_title()}
      description={m.prompts_landing_description()}
      lead={m.prompts_landing_lead()}
      unit={m.prompts_landing_unit()}
      questions={[
        { question: m.prompts_faq_free(), answer: m.prompts_faq_free_answer() },
        { question: m.prompts_faq_blanks(), answer: m.prompts_faq_blanks_answer() },
        { question: m.prompts_faq_share(), answer: m.prompts_faq_share_answer() },
      ]}
    />
  );
}
