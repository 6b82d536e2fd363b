import type { Feature } from '#features/credits/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { freeTerms, type PricedFeature, proTerms } from '../parts/tool-terms.ts';
import { toolEntries } from './tool-entries.ts';
import { ImageSample, PdfSample, PromptSample, ScriptSample, WriterSample } from './tool-samples.tsx';

const specimens: Partial<Record<PricedFeature, () => React.ReactNode>> = {
  writer: WriterSample,
  script: ScriptSample,
  image: ImageSample,
  pdf: PdfSample,
  prompts: PromptSample,
};

export function ToolList({ fairUse }: { fairUse: Partial<Record<Feature, number>> }) {
  return (
    <ol className="border-t border-fg">
      {toolEntries().map(({ feature, path, name, description, storageNote, guestNote }, at) => {
        const Specimen = specimens[feature];
        return (
          <li className="not-first:border-t not-first:border-line" key={feature}>
            <article
              className="grid grid-cols-[2.5rem_minmax(0,1fr)_minmax(0,1.15fr)] gap-6 pt-10 pb-12 max-lg:grid-cols-[2.5rem_minmax(0,1fr)] max-md:grid-cols-1 max-md:py-8"
              aria-labelledby={`tool-${feature}`}
            >
              <span
                className="pt-[0.8rem] font-normal text-[13px]/[1] font-mono text-fg-subtle max-md:hidden"
                aria-hidden="true"
              >
                {String(at + 1).padStart(2, '0')}
              </span>
              <div className="grid content-start justify-items-start gap-4 max-w-136">
                <h2 className="h2" id={`tool-${feature}`}>
                  {name}
                </h2>
                <p>{description()}</p>
                <p className="muted">{storageNote()}</p>
                <dl className="justify-self-stretch border-b text-sm border-line">
                  <div className="grid grid-cols-[6rem_minmax(0,1fr)] gap-4 py-2 border-t border-line">
                    <dt className="text-fg-muted">{m.tools_free_plan()}</dt>
                    <dd>{freeTerms(feature)}</dd>
                  </div>
                  <div className="grid grid-cols-[6rem_minmax(0,1fr)] gap-4 py-2 border-t border-line">
                    <dt className="text-fg-muted">{m.tools_pro()}</dt>
                    <dd>{proTerms(feature, fairUse[feature])}</dd>
                  </div>
                  <div className="grid grid-cols-[6rem_minmax(0,1fr)] gap-4 py-2 border-t border-line">
                    <dt className="text-fg-muted">{m.tools_guests()}</dt>
                    <dd>{guestNote()}</dd>
                  </div>
                </dl>
                <Button
                  className="print:hidden"
                  size="lg"
                  href={path}
                  aria-label={m.tools_try_named({ name })}
                >
                  {m.tools_try()}
                </Button>
              </div>
              {Specimen ? <Specimen /> : null}
            </article>
          </li>
        );
      })}
    </ol>
  );
}
