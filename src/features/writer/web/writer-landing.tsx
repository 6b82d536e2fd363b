import { seedText } from '#content/seed/works.ts';
import { featureTable, formatCredits } from '#features/credits/contract.ts';
import type { LandingPartProps } from '#features/tools/web/landing/landing-parts.tsx';
import { LandingSample } from '#features/tools/web/landing/landing-sample.tsx';
import { ToolLanding } from '#features/tools/web/landing/tool-landing.tsx';
import { m } from '#messages';
import { textLength } from '#shared/text-length.ts';
import { WordDiff } from '#ui/word-diff.tsx';
import { formatRange, rangeOf, requestedLength, toneNames, typeNames } from '../contract.ts';

const { type, tone, length, prompt, content, passage, shorter } = seedText;
const paragraphs = content.split('\n\n');
/** Up to the passage that the sample shortens. */
const shown = paragraphs.slice(0, paragraphs.indexOf(passage) + 1);

function Paragraph({ text }: { text: string }) {
  const heading = /^#+ /.exec(text)?.[0];
  if (text === passage)
    return (
      <p className="border-s-2 border-fg ps-4">
        <WordDiff before={passage} after={shorter} />
      </p>
    );
  if (heading === '# ') return <h3 className="text-2xl font-semibold">{text.slice(heading.length)}</h3>;
  if (heading) return <h4 className="pt-1 text-lg font-semibold">{text.slice(heading.length)}</h4>;
  return <p>{text}</p>;
}

function Sample() {
  const measured = textLength(content);
  return (
    <LandingSample
      facts={m.writer_sample_facts({
        type: typeNames[type as keyof typeof typeNames](),
        tone: toneNames[tone as keyof typeof toneNames](),
        count: measured.words,
        range: formatRange(rangeOf(requestedLength({ length }), measured)),
      })}
      input={{ label: m.common_sample_prompt(), text: <bdi lang="en">{prompt}</bdi> }}
    >
      <div className="grid max-w-(--measure) gap-3" lang="en" dir="ltr">
        {shown.map((text) => (
          <Paragraph key={text} text={text} />
        ))}
      </div>
      <p className="fine">{m.writer_sample_note()}</p>
    </LandingSample>
  );
}

export default function WriterLanding({ part }: LandingPartProps) {
  const price = formatCredits(featureTable.writer.price);
  return (
    <ToolLanding
      part={part}
      feature="writer"
      title={m.writer_landing_title()}
      description={m.writer_landing_description()}
      lead={m.writer_landing_lead()}
      sample={<Sample />}
      unit={m.writer_landing_unit()}
      fairUse={m.writer_landing_fair_use}
      questions={[
        { question: m.writer_faq_length(), answer: m.writer_faq_length_answer() },
        { question: m.writer_faq_edit(), answer: m.writer_faq_edit_answer({ price }) },
        { question: m.writer_faq_export(), answer: m.writer_faq_export_answer() },
      ]}
    />
  );
}
