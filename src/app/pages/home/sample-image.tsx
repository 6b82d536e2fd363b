import { m } from '#messages';

const files = import.meta.glob<string>('../../../../content/samples/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
});

const wideImages = ['kettle', 'mountains', 'whale'] as const;
const squareImages = [
  'city',
  'lighthouse1',
  'lighthouse2',
  'lighthouse3',
  'lighthouse4',
  'nook',
  'pears',
  'saturn',
  'thermos',
] as const;

export type SampleImageName = (typeof wideImages)[number] | (typeof squareImages)[number];

export const isWide = (name: SampleImageName): boolean => wideImages.some((wide) => wide === name);

export function SampleImage({ name, alt }: { name: SampleImageName; alt: string }) {
  return (
    <img
      className="block w-full h-auto rounded-md bg-line"
      src={files[`../../../../content/samples/${name}.webp`]}
      alt={alt}
      width={720}
      height={isWide(name) ? 480 : 720}
      loading="lazy"
      decoding="async"
    />
  );
}

/** The four images of the prompt in the message `home_images_prompt`. */
export function SampleImages({ className }: { className: string }) {
  const images = [
    ['lighthouse4', m.home_lighthouse_noon()],
    ['lighthouse1', m.home_lighthouse_sunset()],
    ['lighthouse3', m.home_lighthouse_fog()],
    ['lighthouse2', m.home_lighthouse_night()],
  ] as const;
  return (
    <ul className={`grid gap-3 ${className}`}>
      {images.map(([name, alt]) => (
        <li key={name}>
          <SampleImage name={name} alt={alt} />
        </li>
      ))}
    </ul>
  );
}
