export { contactKinds } from './contact/contact-contract.ts';
export { newsletterPaths } from './newsletter/newsletter-contract.ts';
