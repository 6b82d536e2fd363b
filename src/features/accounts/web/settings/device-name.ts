import { m } from '#messages';

const browsers: Array<[string, RegExp]> = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|Opera|OPT)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
];

const systems: Array<[string, RegExp]> = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Mac', /\bMacintosh\b/],
  ['Linux', /\b(Linux|X11)\b/],
];

const findName = (list: Array<[string, RegExp]>, text: string) =>
  list.find(([, pattern]) => pattern.test(text))?.[0];

export function deviceName(userAgent: string): string {
  const [browser, system] = [findName(browsers, userAgent), findName(systems, userAgent)];
  if (browser && system) return m.device_on({ browser, system });
  return browser ?? system ?? m.device_unknown();
}
