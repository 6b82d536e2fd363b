import { site } from '#content/site.ts';
import { BrandMark } from './brand-mark.tsx';

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
