import { m } from '#messages';

export interface SitePromise {
  name: string;
  text: string;
  proof: { text: string; href: string };
}

export const promises = (): SitePromise[] => [
  {
    name: m.about_no_passwords(),
    text: m.about_no_passwords_text(),
    proof: { text: m.about_no_passwords_proof(), href: '/privacy#how-it-is-protected' },
  },
  {
    name: m.about_no_cards(),
    text: m.about_no_cards_text(),
    proof: { text: m.about_no_cards_proof(), href: '/pricing#security' },
  },
  {
    name: m.about_no_trackers(),
    text: m.about_no_trackers_text(),
    proof: { text: m.about_no_trackers_proof(), href: '/cookies#essential' },
  },
  {
    name: m.about_price_first(),
    text: m.about_price_first_text(),
    proof: { text: m.about_price_first_proof(), href: '/pricing#plans' },
  },
  {
    name: m.about_your_data(),
    text: m.about_your_data_text(),
    proof: { text: m.about_your_data_proof(), href: '/privacy#how-long-we-keep-it' },
  },
  {
    name: m.about_keys(),
    text: m.about_keys_text(),
    proof: { text: m.about_keys_proof(), href: '/privacy#who-else-gets-data' },
  },
];

export const steps = (): [name: string, text: string][] => [
  [m.about_step_you(), m.about_step_you_text()],
  [m.about_step_server(), m.about_step_server_text()],
  [m.about_step_gateway(), m.about_step_gateway_text()],
  [m.about_step_model(), m.about_step_model_text()],
  [m.about_step_back(), m.about_step_back_text()],
];
