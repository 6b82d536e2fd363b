import { setting } from '#shared/settings.ts';
import { BrandMark } from './brand-mark.tsx';

export function Wordmark({ className = 'min-h-11' }: { className?: string }) {
  const logo = setting('brand.logo');
  const name = setting('brand.name');
  return (
    <a
      className={`wordmark inline-flex min-w-0 items-center gap-2.5 font-bold text-md tracking-[-0.02em] ${className}`}
      href="/"
    >
      {logo ? (
        <img
          className="h-6 w-auto max-w-40 object-contain"
          src={logo.path}
          alt={logo.withName ? '' : name}
          width={logo.width}
          height={logo.height}
        />
      ) : (
        <BrandMark />
      )}
      {logo && !logo.withName ? null : (
        <span className="truncate" title={name}>
          {name}
        </span>
      )}
    </a>
  );
}
