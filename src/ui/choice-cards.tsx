interface Choice {
  value: string;
  title: string;
  detail?: string;
  figure?: string;
  badge?: string;
}

export function ChoiceCards({
  name,
  legend,
  choices,
  chosen,
}: {
  name: string;
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
          {figure ? <span className="text-[length:var(--text-md)] font-[650]">{figure}</span> : null}
        </label>
      ))}
    </fieldset>
  );
}
