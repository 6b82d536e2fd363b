import { BoundedCache } from '../bounded-cache.ts';
import { reencode } from '../images/reencode.server.ts';
import { brandFile } from './brand-files.server.ts';
import { iconSide } from './logo-maker-protocol.ts';

/** Fits the icon in the circle (80% of the width) that no mask cuts: https://www.w3.org/TR/appmanifest/#icon-masks */
const margin = Math.ceil((iconSide * (1 - 0.8 / Math.SQRT2)) / 2);
const side = iconSide - 2 * margin;

const cache = new BoundedCache<Buffer>(2);

export const maskablePath = (icon: string): string => icon.replace('/icon-', '/maskable-');

const draw = (icon: Buffer, background: string): Promise<Buffer> =>
  reencode({
    source: icon,
    key: 'brand',
    size: (picture) => picture.resize(side, side),
    encode: ({ reopen }) =>
      reopen()
        .flatten({ background })
        .extend({ top: margin, bottom: margin, left: margin, right: margin, background })
        .png()
        .toBuffer(),
  });

/** Draws an icon on `background`, small enough for any mask; null if there is none of that name. */
export async function maskableIcon(name: string, background: string): Promise<Buffer | null> {
  const cached = cache.get(name);
  if (cached) return cached;
  const isName = /^maskable-[\w-]{22}\.png$/.test(name);
  const icon = isName ? await brandFile(name.replace('maskable-', 'icon-')) : null;
  return icon && cache.set(name, await draw(icon, background));
}
