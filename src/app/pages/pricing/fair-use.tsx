import type { Limits } from './pricing-facts.server.ts';

const number = new Intl.NumberFormat('en-US');

/** The limits that protect the site, in words and figures of the configuration. */
export function FairUse({ limits }: { limits: Limits }) {
  const { fairUse, runningAtOnce, released, contextTokens, attachmentTokens, capped } = limits;
  const lines: Array<[name: string, text: string]> = [
    [
      'A day on Pro',
      `${fairUse.chat} messages, ${fairUse.writer} texts and ${fairUse.image} pictures. The next one is refused with the time from which there are more; nothing is charged extra.`,
    ],
    [
      'At once',
      `${runningAtOnce} replies, texts or pictures may be in the making for one person, on every plan.`,
    ],
    [
      'Stopped early',
      `You may stop up to ${released.perHour} requests an hour and ${released.perDay} a day before their first text; requests that the model declines, or answers with nothing, count too. They cost nothing. After that, new requests are refused until the time that the page shows.`,
    ],
    [
      'A message',
      `goes out with up to ${number.format(contextTokens)} tokens of its conversation, about ${number.format(Math.round((contextTokens * 3) / 4 / 100) * 100)} words, and up to ${number.format(attachmentTokens)} tokens of an attached document. The page says what was left out.`,
    ],
    ...(capped
      ? [
          [
            'The whole site',
            'has a limit of what the models may cost in a day. Once it is reached, new work waits until 00:00 UTC. A reply that is being written is finished; longer work may end early, and what gave no result is not charged.',
          ] as [string, string],
        ]
      : []),
  ];
  return (
    <section className="page-section page-columns" id="fair-use" aria-labelledby="fair-use-title">
      <h2 className="h2" id="fair-use-title">
        Fair use
      </h2>
      <dl className="fact-list">
        {lines.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
