import { site } from '#content/site.ts';
import { setting } from '#shared/settings.ts';
import { BrandMark } from './brand-mark.tsx';

export function Wordmark({ className = 'min-h-11' }: { className?: string }) {
  const { logo } = site;
  const name = setting('brand.name');
  return (
    <a
      className={`wordmark inline-flex items-center gap-2.5 font-bold text-md tracking-[-0.02em] ${className}`}
      href="/"
    >
      {logo ? (
        <img className="w-auto h-6" src={logo.path} alt={name} width={logo.width} height={logo.height} />
      ) : (
        <>
          <BrandMark />
          {name}
        </>
      )}
    </a>
  );
}
