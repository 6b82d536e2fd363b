import type { Feature } from '../../../features/credits/contract.ts';
import { freeTerms, type PricedFeature, proTerms } from '../parts/tool-terms.ts';
import { ImageSpecimen, PdfSpecimen, PromptSpecimen, ScriptSpecimen, WriterSpecimen } from './specimens.tsx';
import { toolEntries } from './tools.ts';

const specimens: Partial<Record<PricedFeature, () => React.ReactNode>> = {
  writer: WriterSpecimen,
  script: ScriptSpecimen,
  image: ImageSpecimen,
  pdf: PdfSpecimen,
  prompts: PromptSpecimen,
};

/** The five tools: what each does, what it costs whom, and a piece of its work beside it. */
export function ToolList({ fairUse }: { fairUse: Partial<Record<Feature, number>> }) {
  return (
    <ol className="tool-list">
      {toolEntries.map(({ feature, path, name, does, keeps, guests }, at) => {
        const Specimen = specimens[feature];
        return (
          <li key={feature}>
            <article aria-labelledby={`tool-${feature}`}>
              <span className="tool-list-number" aria-hidden="true">
                {String(at + 1).padStart(2, '0')}
              </span>
              <div className="tool-list-words">
                <h2 className="h2" id={`tool-${feature}`}>
                  {name}
                </h2>
                <p>{does}</p>
                <p className="muted">{keeps}</p>
                <dl>
                  <div>
                    <dt>Free plan</dt>
                    <dd>{freeTerms(feature)}</dd>
                  </div>
                  <div>
                    <dt>Pro</dt>
                    <dd>{proTerms(feature, fairUse[feature])}</dd>
                  </div>
                  <div>
                    <dt>Guests</dt>
                    <dd>{guests}</dd>
                  </div>
                </dl>
                <a className="btn btn-secondary btn-lg" href={path}>
                  Try Now<span className="visually-hidden">: {name}</span>
                </a>
              </div>
              {Specimen ? <Specimen /> : null}
            </article>
          </li>
        );
      })}
    </ol>
  );
}
