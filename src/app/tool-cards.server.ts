import { type Feature, featureTable } from '#features/credits/contract.ts';
import { m } from '#messages';
import { type CardContent, cardPicture } from '#platform/social-cards/card-content.ts';

const ink = '#1d1c16';
const grey = '#c9c6ba';
const marker = '#eef23f';
const { width, height } = cardPicture;

const sheet = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 430" width="${width}" height="${height}"><rect x="2" y="2" width="396" height="426" rx="14" fill="#fff" stroke="${ink}" stroke-width="3"/>${content}</svg>`;

const line = (x: number, y: number, length: number, color = grey): string =>
  `<rect x="${x}" y="${y}" width="${length}" height="12" rx="6" fill="${color}"/>`;
const lines = (x: number, y: number, lengths: readonly number[], color?: string): string =>
  lengths.map((length, at) => line(x, y + at * 30, length, color)).join('');
const mark = (x: number, y: number, length: number): string =>
  `<path d="M${x} ${y - 9}h${length}l-8 30h-${length}z" fill="${marker}"/>`;
const box = (x: number, y: number, boxWidth: number, boxHeight: number, fill = 'none'): string =>
  `<rect x="${x}" y="${y}" width="${boxWidth}" height="${boxHeight}" rx="12" fill="${fill}" stroke="${ink}" stroke-width="3"/>`;

const pictures: Partial<Record<Feature, string>> = {
  chat: sheet(
    `${box(150, 40, 212, 66, marker)}${line(172, 67, 150, ink)}${lines(40, 150, [310, 280, 300, 190])}${box(40, 340, 320, 54)}<circle cx="330" cy="367" r="16" fill="${ink}"/>${line(62, 361, 120)}`,
  ),
  writer: sheet(
    `<rect x="40" y="44" width="230" height="22" rx="8" fill="${ink}"/>${lines(40, 104, [320, 296, 310])}${line(40, 206, 200)}<path d="M36 212h210" stroke="${ink}" stroke-width="4"/>${mark(262, 206, 96)}${line(268, 206, 80, ink)}${lines(40, 252, [318, 286, 304, 150])}`,
  ),
  script: sheet(
    `${line(40, 50, 240, ink)}${lines(40, 98, [316, 262])}${line(160, 172, 80, ink)}${mark(102, 206, 196)}${lines(110, 206, [180, 150], ink)}${line(160, 282, 80, ink)}${lines(110, 316, [176])}${line(250, 370, 110, ink)}`,
  ),
  image: sheet(
    `<clipPath id="c"><rect x="26" y="26" width="348" height="378" rx="8"/></clipPath><g clip-path="url(#c)"><rect x="26" y="26" width="348" height="378" fill="#e8a180"/><circle cx="276" cy="216" r="62" fill="#f6e0ac"/><rect x="26" y="262" width="348" height="150" fill="#3b4a6b"/><path d="M60 404l26-70 50-20 60 4 46 86z" fill="#23233a"/><path d="M118 120h44l14 200h-72z" fill="#f6ead8"/><path d="M116 156h48l3 38h-54zM111 232h58l3 38h-64z" fill="#c2472f"/><path d="M122 84h36v36h-36z" fill="#f8e7a1" stroke="#23233a" stroke-width="5"/><path d="M112 84l28-34 28 34z" fill="#23233a"/><path d="M220 290h120M240 318h80M230 346h110" stroke="#f6e0ac" stroke-width="6" stroke-linecap="round"/></g>`,
  ),
  pdf: sheet(
    `${line(40, 46, 130, ink)}${lines(40, 92, [316, 300])}${mark(36, 152, 300)}${line(42, 152, 280, ink)}${lines(40, 182, [310, 220])}${box(40, 262, 320, 128, '#fbfaf6')}${line(62, 288, 250, ink)}${lines(62, 322, [276])}<rect x="62" y="350" width="64" height="24" rx="12" fill="none" stroke="${ink}" stroke-width="3"/>`,
  ),
  prompts: sheet(
    `${lines(40, 50, [316])}${line(40, 92, 90)}${mark(140, 92, 120)}${line(146, 92, 104, ink)}${line(272, 92, 84)}${line(40, 136, 150)}<rect x="202" y="124" width="120" height="36" rx="8" fill="none" stroke="${ink}" stroke-width="3" stroke-dasharray="7 7"/>${lines(40, 180, [300, 240])}${box(40, 262, 320, 50)}${box(40, 334, 150, 54, ink)}${line(66, 355, 98, '#fff')}`,
  ),
};

const cardTexts: Record<string, () => { title: string; text: string }> = {
  chat: () => ({ title: m.chat_landing_title(), text: m.chat_landing_lead() }),
  writer: () => ({ title: m.writer_landing_title(), text: m.writer_landing_lead() }),
  script: () => ({ title: m.script_landing_title(), text: m.script_landing_lead() }),
  image: () => ({ title: m.image_landing_title(), text: m.image_landing_lead() }),
  pdf: () => ({ title: m.pdf_landing_title(), text: m.pdf_landing_lead() }),
  prompts: () => ({ title: m.prompts_landing_title(), text: m.prompts_landing_lead() }),
};

export function toolCard(name: string, publicUrl: string): CardContent | null {
  const feature = Object.keys(featureTable).find((each) => each === name) as Feature | undefined;
  const texts = feature && cardTexts[feature]?.();
  if (!feature || !texts) return null;
  const { name: eyebrow, page = '' } = featureTable[feature];
  const picture = pictures[feature];
  return { eyebrow, ...texts, foot: new URL(publicUrl).host + page, ...(picture && { picture }) };
}
