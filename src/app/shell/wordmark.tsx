import { site } from '#content/site.ts';
import { BrandMark } from './brand-mark.tsx';

/** The operator's picture or, without one, the mark beside the name in type. */
export function Wordmark() {
  const { logo, name } = site;
  return logo ? (
    <img className="w-auto h-6" src={logo.path} alt={name} width={logo.width} height={logo.height} />
  ) : (
    <>
      <BrandMark />
      {name}
    </>
  );
}
