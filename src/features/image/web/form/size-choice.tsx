import { type ImageSize, imageSizes } from '../../contract.ts';

/** The sizes as shapes drawn to scale. */
export function SizeChoice({ value, onChange }: { value: ImageSize; onChange: (size: ImageSize) => void }) {
  return (
    <fieldset className="image-sizes">
      <legend className="label">Size</legend>
      <div className="image-size-row">
        {imageSizes.map((size) => (
          <label key={size.value} className="image-size">
            <input
              type="radio"
              name="size"
              value={size.value}
              checked={size.value === value}
              onChange={() => onChange(size.value)}
            />
            <span className="image-shape-room" aria-hidden="true">
              <span className="image-shape" data-size={size.value} />
            </span>
            <span className="image-size-name">{size.label}</span>
            <span className="fine">{size.description}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
