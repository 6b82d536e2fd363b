/** Largest size in pixels: eight times as tall as the header shows it. */
export const logoSize = { width: 960, height: 192 };
export const iconSide = 512;

/** Limit for each file that is made. */
export const MAX_PICTURE_BYTES = 128 * 1024;

export interface LogoRequest {
  /** The picture in base64. */
  source: string;
}

export type LogoResponse =
  | { problem: string }
  /** The pictures are PNG in base64. */
  | { problem?: undefined; width: number; height: number; logo: string; icon: string };
