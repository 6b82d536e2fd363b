import { type Feature, features, formatCredits } from '#features/credits/contract.ts';
import { dictationLimits } from '#features/dictation/contract.ts';
import { locale, m } from '#messages';
import type { Limits } from './pricing-data.server.ts';

const unitOf: Partial<Record<Feature, (values: { count: number }) => string>> = {
  chat: m.pricing_unit_chat,
  writer: m.pricing_unit_writer,
  script: m.pricing_unit_script,
  image: m.pricing_unit_image,
  pdf: m.pricing_unit_pdf,
  question: m.pricing_unit_question,
  dictation: m.pricing_unit_dictation,
};

function modelPrices(models: Limits['models']): string[][] {
  if (models.length === 0) return [];
  const prices = models.map(({ model, credits }) =>
    credits === null
      ? m.pricing_limit_model_pro({ model })
      : m.pricing_limit_model({ model, price: formatCredits(credits) }),
  );
  const list = new Intl.ListFormat(locale(), { type: 'unit' }).format(prices);
  return [[m.pricing_limit_models(), m.pricing_limit_models_text({ models: list })]];
}

function webSearchPrice(credits: number | null): string[][] {
  if (!credits) return [];
  const price = formatCredits(credits);
  return [[m.pricing_limit_web(), m.pricing_limit_web_text({ price })]];
}

function dictationPrice(credits: number | null): string[][] {
  if (!credits) return [];
  const values = { price: formatCredits(credits), minutes: dictationLimits.seconds / 60 };
  return [[m.tool_dictation(), m.pricing_limit_dictation_text(values)]];
}

function otherLimits(limits: Limits) {
  const { models, webSearch, dictation, runningAtOnce, released, contextTokens, attachmentTokens, capped } =
    limits;
  const words = Math.round((contextTokens * 3) / 4 / 100) * 100;
  return [
    ...modelPrices(models),
    ...webSearchPrice(webSearch),
    ...dictationPrice(dictation),
    [m.pricing_limit_at_once(), m.pricing_limit_at_once_text({ count: runningAtOnce })],
    [
      m.pricing_limit_stopped(),
      m.pricing_limit_stopped_text({ hour: released.perHour, day: released.perDay }),
    ],
    [
      m.pricing_limit_message(),
      m.pricing_limit_message_text({ tokens: contextTokens, words, attachment: attachmentTokens }),
    ],
    ...(capped ? [[m.pricing_limit_site(), m.pricing_limit_site_text()]] : []),
  ];
}

export function FairUseLimits({ limits }: { limits: Limits }) {
  const { fairUse } = limits;
  return (
    <section className="pt-24 max-md:pt-16 grid gap-6" id="fair-use" aria-labelledby="fair-use-title">
      <div className="grid gap-2">
        <h2 className="h2" id="fair-use-title">
          {m.pricing_fair_title()}
        </h2>
        <p className="muted">{m.pricing_fair_text()}</p>
      </div>
      <dl className="grid grid-cols-6 max-ml:grid-cols-3 max-xs:grid-cols-2 gap-y-6 border-y py-6 border-line">
        {features.map((feature) => {
          const count = fairUse[feature];
          const unit = unitOf[feature];
          return count && unit ? (
            <div className="flex flex-col-reverse justify-end pe-4" key={feature}>
              <dt className="muted text-sm">{unit({ count })}</dt>
              <dd className="text-2xl font-[650] tracking-tight">{count}</dd>
            </div>
          ) : null;
        })}
      </dl>
      <details className="max-w-(--measure)">
        <summary className="min-h-(--hit) content-center w-max text-sm cursor-pointer link">
          {m.pricing_limits()}
        </summary>
        <dl>
          {otherLimits(limits).map(([name, text]) => (
            <div className="py-3 border-b border-line text-sm" key={name}>
              <dt className="font-semibold">{name}</dt>
              <dd className="text-fg-muted">{text}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}
