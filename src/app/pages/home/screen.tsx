import sizes from '../../../../content/screens/sizes.json' with { type: 'json' };

export type ScreenName = 'chat' | 'pdf' | 'writer' | 'script';
type Frame = 'wide' | 'phone';
type Theme = 'light' | 'dark';

const files = import.meta.glob<string>('../../../../content/screens/*.{avif,webp}', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** Address of a picture that `npm run screens` has taken. @throws where there is none. */
function fileOf(name: ScreenName, frame: Frame, theme: Theme, ending: 'avif' | 'webp'): string {
  const url = files[`../../../../content/screens/${name}-${frame}-${theme}.${ending}`];
  if (!url) throw new Error(`There is no picture ${name}-${frame}-${theme}.${ending}: npm run screens.`);
  return url;
}

const media: Record<Frame, string> = { phone: '(width < 48rem)', wide: 'all' };

/**
 * Makes the pictures follow the theme of the page where that is not the system's: then the browser has chosen by
 * another theme. Runs before the first paint of the pictures, and again when the theme changes.
 */
export const screensScript =
  "(()=>{let d=document.documentElement,s=document.querySelectorAll('source[data-dark]'),a=()=>s.forEach(e=>e.media=d.dataset.theme=='dark'?e.dataset.dark:'not all');a();new MutationObserver(a).observe(d,{attributeFilter:['data-theme']})})()";

function Sources({ name, frame, theme }: { name: ScreenName; frame: Frame; theme: Theme }) {
  const dark = theme === 'dark';
  const when = dark
    ? ['(prefers-color-scheme: dark)', ...(frame === 'phone' ? [media.phone] : [])].join(' and ')
    : media[frame];
  return (['avif', 'webp'] as const).map((ending) => (
    <source
      key={ending}
      type={`image/${ending}`}
      media={when}
      data-dark={dark ? media[frame] : undefined}
      srcSet={`${fileOf(name, frame, theme, ending)}${ending === 'avif' ? ' 2x' : ''}`}
      {...sizes[`${name}-${frame}`]}
    />
  ));
}

interface ScreenProps {
  name: ScreenName;
  /** What is to be seen. */
  alt: string;
  /** It is on the first screen of the page. */
  first?: boolean;
}

/** A picture of the product, in the theme of the page and the width of the window. */
export function Screen({ name, alt, first = false }: ScreenProps) {
  return (
    <picture className="screen">
      {(['dark', 'light'] as const).map((theme) =>
        (['phone', 'wide'] as const).map((frame) => (
          <Sources key={theme + frame} name={name} frame={frame} theme={theme} />
        )),
      )}
      <img
        src={fileOf(name, 'wide', 'light', 'webp')}
        alt={alt}
        {...sizes[`${name}-wide`]}
        loading={first ? 'eager' : 'lazy'}
        fetchPriority={first ? 'high' : undefined}
        decoding={first ? 'sync' : 'async'}
      />
    </picture>
  );
}
