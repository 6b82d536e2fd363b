interface Choice {
  value: string;
  title: string;
  /** Below the title. */
  detail?: string;
  /** At the end of the card, such as a price. */
  figure?: string;
  badge?: string;
}

/** Radio buttons as cards, one below the other; works in any form without scripts. */
export function ChoiceCards({
  name,
  legend,
  choices,
  chosen,
}: {
  name: string;
  /** Names the group for screen readers. */
  legend: string;
  choices: readonly Choice[];
  chosen: string;
}) {
  return (
    <fieldset className="choices">
      <legend className="visually-hidden">{legend}</legend>
      {choices.map(({ value, title, detail, figure, badge }) => (
        <label key={value} className="choice">
          <input type="radio" name={name} value={value} defaultChecked={value === chosen} />
          <span className="choice-text">
            <span className="font-semibold">
              {title} {badge ? <span className="fine">{badge}</span> : null}
            </span>
            {detail ? <span className="fine">{detail}</span> : null}
          </span>
          {figure ? <span className="choice-figure">{figure}</span> : null}
        </label>
      ))}
    </fieldset>
  );
}
