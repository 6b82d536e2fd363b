import { useLoaderData } from 'react-router';
import { featureTable } from '#features/credits/contract.ts';
import type { GuestFacts } from '#features/tools/contract.ts';
import { LandingFoot } from '#features/tools/web/landing/landing-foot.tsx';
import { LandingHead } from '#features/tools/web/landing/landing-head.tsx';
import type { LandingPartProps } from '#features/tools/web/landing/landing-parts.tsx';
import { m } from '#messages';

export default function LibraryLanding({ part }: LandingPartProps) {
  const { guest } = useLoaderData<{ guest: GuestFacts | null }>();
  const [title, description] = [m.prompts_landing_title(), m.prompts_landing_description()];
  if (part === 'head')
    return <LandingHead name={featureTable.prompts.name} title={title} lead={m.prompts_landing_lead()} />;
  if (part === 'sample' || !guest) return null;
  const words = {
    feature: 'prompts' as const,
    name: featureTable.prompts.name,
    title,
    description,
    price: { unit: m.prompts_landing_unit(), fairUse: null },
    questions: [
      { question: m.prompts_faq_free(), answer: m.prompts_faq_free_answer() },
      { question: m.prompts_faq_blanks(), answer: m.prompts_faq_blanks_answer() },
      { question: m.prompts_faq_share(), answer: m.prompts_faq_share_answer() },
    ],
  };
  return <LandingFoot words={words} facts={guest} />;
}
