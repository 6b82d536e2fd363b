import { eventually, type TestServer } from './server.ts';

export interface SignInMail {
  subject: string;
  text: string;
  html: string;
  link: string;
  token: string;
  code: string;
}

/** Returns all mails to an address, newest first. */
export async function mailsTo(server: TestServer, email: string): Promise<SignInMail[]> {
  const response = await fetch(`${server.standins}/mail/messages?to=${encodeURIComponent(email)}`);
  const mails = (await response.json()) as Array<{
    subject: string;
    text: string;
    html: string;
    links: string[];
  }>;
  return mails.map(({ subject, text, html, links }) => {
    const link = links.find((url) => url.includes('/sign-in/confirm')) ?? '';
    const code = /^(\d{6})$/m.exec(text)?.[1] ?? '';
    return { subject, text, html, link, token: link.split('token=')[1] ?? '', code };
  });
}

/** Waits for `count` mails to an address, and returns the newest. */
export async function mailTo(server: TestServer, email: string, count = 1): Promise<SignInMail> {
  const mails = await eventually(async () => {
    const found = await mailsTo(server, email);
    return found.length >= count && found;
  });
  return mails[0] as SignInMail;
}
