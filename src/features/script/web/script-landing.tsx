import { useLoaderData } from 'react-router';
import type { LandingPartProps } from '#features/tools/web/landing/landing-parts.tsx';
import { LandingSample } from '#features/tools/web/landing/landing-sample.tsx';
import { ToolLanding } from '#features/tools/web/landing/tool-landing.tsx';
import { locale, m } from '#messages';
import { scriptFormats, scriptLimits } from '../contract.ts';
import { ScriptDocument } from './screenplay/script-document.tsx';

export default function ScriptLanding({ part }: LandingPartProps) {
  const { sample } = useLoaderData<{ sample: string }>();
  const [fountain, finalDraft] = scriptFormats;
  const readers = [...new Set([...fountain.readers, ...finalDraft.readers])];
  const apps = new Intl.ListFormat(locale()).format(readers);
  return (
    <ToolLanding
      part={part}
      feature="script"
      title={m.script_landing_title()}
      description={m.script_landing_description()}
      lead={m.script_landing_lead()}
      sample={
        <LandingSample
          facts={m.script_sample_facts()}
          input={{ label: m.script_sample_scene(), text: m.script_scene_placeholder() }}
        >
          <ScriptDocument text={sample} lang="en" live={null} plain={false} />
        </LandingSample>
      }
      unit=""
      fairUse={m.script_landing_fair_use}
      questions={[
        { question: m.script_faq_apps(), answer: m.script_faq_apps_answer({ apps }) },
        {
          question: m.script_faq_length(),
          answer: m.script_faq_length_answer({ minutes: scriptLimits.maxMinutes }),
        },
        { question: m.script_faq_change(), answer: m.script_faq_change_answer() },
      ]}
    />
  );
}
