import { m } from '#messages';
import { joinSentences } from '#shared/join-sentences.ts';
import { sampleImagesNote } from '#shared/sample-notes.ts';
import { isWide, SampleImage } from './sample-image.tsx';

export function ImageWall() {
  const rows = [
    [
      { name: 'whale', prompt: m.images_sample_whale(), alt: m.home_image_whale_alt() },
      { name: 'city', prompt: m.home_image_city(), alt: m.home_image_city_alt() },
      { name: 'saturn', prompt: m.home_image_saturn(), alt: m.home_image_saturn_alt() },
    ],
    [
      { name: 'pears', prompt: m.images_sample_pears(), alt: m.home_image_pears_alt() },
      { name: 'nook', prompt: m.images_sample_nook(), alt: m.home_image_nook_alt() },
      { name: 'mountains', prompt: m.home_image_mountains(), alt: m.home_image_mountains_alt() },
    ],
  ] as const;
  return (
    <section className="pt-24 max-md:pt-16" aria-labelledby="wall-title">
      <h2 className="h1" id="wall-title">
        {m.home_wall_title()}
      </h2>
      <p className="fine mt-2 mb-6">{joinSentences(sampleImagesNote(), m.home_wall_try())}</p>
      <div className="grid gap-6">
        {/* The column widths give all images of a row the same height. */}
        {rows.map((images, at) => (
          <ul
            key={images[0].name}
            className={`grid gap-x-3 gap-y-6 max-md:grid-cols-2 ${at === 0 ? 'grid-cols-[3fr_2fr_2fr]' : 'grid-cols-[2fr_2fr_3fr]'}`}
          >
            {images.map(({ name, prompt, alt }) => (
              <li key={name} className={isWide(name) ? 'max-md:col-span-2' : undefined}>
                <a className="group block" href={`/tools/image?text=${encodeURIComponent(prompt)}`}>
                  <SampleImage name={name} alt={alt} />
                  <span className="block mt-2 text-sm text-fg-muted group-hover:text-fg group-hover:underline group-hover:underline-offset-[0.18em]">
                    {prompt}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        ))}
      </div>
    </section>
  );
}
