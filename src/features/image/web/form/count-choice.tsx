import { imageLimits } from '../../contract.ts';

const counts = Array.from({ length: imageLimits.count }, (_, index) => index + 1);

/** How many pictures are made at once. */
export function CountChoice({ value, onChange }: { value: number; onChange: (count: number) => void }) {
  return (
    <fieldset className="image-counts">
      <legend className="label">Number of images</legend>
      <div className="image-count-row">
        {counts.map((count) => (
          <label key={count} className="image-count">
            <input
              type="radio"
              name="count"
              value={count}
              checked={count === value}
              onChange={() => onChange(count)}
            />
            <span>{count}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
