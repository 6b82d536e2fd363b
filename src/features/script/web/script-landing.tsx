import { useLoaderData } from 'react-router';
import { featureTable } from '#features/credits/contract.ts';
import type { ToolData } from '#features/tools/contract.ts';
import { LandingFoot } from '#features/tools/web/landing/landing-foot.tsx';
import { LandingHead } from '#features/tools/web/landing/landing-head.tsx';
import type { LandingPartProps } from '#features/tools/web/landing/landing-parts.tsx';
import { LandingSample } from '#features/tools/web/landing/landing-sample.tsx';
import { locale, m } from '#messages';
import { scriptFormats, scriptLimits } from '../contract.ts';
import { ScriptDocument } from './screenplay/script-document.tsx';

export default function ScriptLanding({ part }: LandingPartProps) {
  const { guest, sample } = useLoaderData<ToolData<unknown, unknown> & { sample: string }>();
  const [title, description] = [m.script_landing_title(), m.script_landing_description()];
  if (part === 'sample')
    return (
      <LandingSample
        facts={m.script_sample_facts()}
        input={{ label: m.script_sample_scene(), text: m.script_scene_placeholder() }}
      >
        <ScriptDocument text={sample} lang="en" live={null} plain={false} />
      </LandingSample>
    );
  if (part === 'head')
    return <LandingHead name={featureTable.script.name} title={title} lead={m.script_landing_lead()} />;
  if (!guest) return null;
  const [fountain, finalDraft] = scriptFormats;
  const readers = [...new Set([...fountain.readers, ...finalDraft.readers])];
  const words = {
    feature: 'script' as const,
    name: featureTable.script.name,
    title,
    description,
    price: {
      unit: '',
      fairUse: guest.fairUse === null ? null : m.script_landing_fair_use({ count: guest.fairUse }),
    },
    questions: [
      {
        question: m.script_faq_apps(),
        answer: m.script_faq_apps_answer({ apps: new Intl.ListFormat(locale()).format(readers) }),
      },
      {
        question: m.script_faq_length(),
        answer: m.script_faq_length_answer({ minutes: scriptLimits.mostMinutes }),
      },
      { question: m.script_faq_change(), answer: m.script_faq_change_answer() },
    ],
  };
  return <LandingFoot words={words} facts={guest} />;
}
