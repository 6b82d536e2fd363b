import lighthouse1 from '#content/samples/lighthouse1.webp?url';
import lighthouse2 from '#content/samples/lighthouse2.webp?url';
import lighthouse3 from '#content/samples/lighthouse3.webp?url';
import lighthouse4 from '#content/samples/lighthouse4.webp?url';
import { featureTable } from '#features/credits/contract.ts';
import type { LandingPartProps } from '#features/tools/web/landing/landing-parts.tsx';
import { LandingSample } from '#features/tools/web/landing/landing-sample.tsx';
import { ToolLanding } from '#features/tools/web/landing/tool-landing.tsx';
import { locale, m } from '#messages';
import { sampleImagesNote } from '#shared/sample-notes.ts';
import { imageLimits, imageSizes } from '../contract.ts';

function Sample() {
  const frame = 'size-full rounded-md border border-line object-cover';
  return (
    <LandingSample
      facts={m.image_sample_facts()}
      input={{ label: m.common_sample_prompt(), text: m.image_sample_prompt_text() }}
    >
      <div className="grid max-w-[36rem] grid-cols-[3fr_1fr] gap-3">
        <img
          className={`row-span-3 ${frame}`}
          src={lighthouse2}
          alt={m.image_sample_alt()}
          width={600}
          height={600}
        />
        {[lighthouse1, lighthouse3, lighthouse4].map((picture) => (
          <img
            key={picture}
            className={`aspect-square ${frame}`}
            src={picture}
            alt=""
            width={200}
            height={200}
          />
        ))}
      </div>
      <p className="fine">{sampleImagesNote()}</p>
    </LandingSample>
  );
}

export default function ImageLanding({ part }: LandingPartProps) {
  const sizes = new Intl.ListFormat(locale()).format(
    imageSizes.map(({ width, height }) => `${width} × ${height}`),
  );
  return (
    <ToolLanding
      part={part}
      feature="image"
      title={m.image_landing_title()}
      description={m.image_landing_description()}
      lead={m.image_landing_lead()}
      sample={<Sample />}
      unit={m.image_landing_unit()}
      fairUse={m.image_landing_fair_use}
      questions={[
        {
          question: m.image_faq_sizes(),
          answer: m.image_faq_sizes_answer({ sizes, count: imageLimits.count }),
        },
        {
          question: m.image_faq_failed(),
          answer: m.image_faq_failed_answer({ price: featureTable.image.price }),
        },
        { question: m.image_faq_marked(), answer: m.image_faq_marked_answer() },
      ]}
    />
  );
}
