export { contactKinds, honeypotField, MIN_SECONDS } from './contact/contact-contract.ts';
export { newsletterPaths } from './newsletter/newsletter-contract.ts';
