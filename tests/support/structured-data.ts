import type { HtmlElement } from './html.ts';

/** A JSON-LD object with a type. */
export interface Thing {
  '@type': string;
  [property: string]: unknown;
}

const isThing = (value: unknown): value is Thing => typeof Object(value)['@type'] === 'string';

function below(value: unknown): Thing[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(isThing(value) ? [value] : []), ...Object.values(value).flatMap(below)];
}

/**
 * Returns every typed object in a page's JSON-LD, nested ones included. Throws for invalid JSON or another vocabulary.
 */
export function thingsIn(elements: readonly HtmlElement[]): Thing[] {
  return elements
    .filter(({ attributes }) => attributes.get('type') === 'application/ld+json')
    .flatMap(({ text }) => {
      const data: unknown = JSON.parse(text);
      if (Object(data)['@context'] !== 'https://schema.org') throw new Error(`Not of schema.org: ${text}`);
      return below(data);
    });
}

const text = /\S/;
const address = /^https?:\/\/[^/\s]+(\/\S*)?$/;
/** A day, or a time with a zone: Google assumes its own zone for a time without one. */
const date = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/;
const amount = /^\d+\.\d\d$/;
const currency = /^[A-Z]{3}$/;
/** The property must hold one or more other objects. */
const thing = 'thing';

const google = 'https://developers.google.com/search/docs/appearance/structured-data';

/**
 * Properties that an object of each type must have. Where Google documents the type, they are what it requires and
 * recommends, as far as it applies to us (there are no ratings); elsewhere, what schema.org's definition needs.
 */
const types: Record<string, { source: string; has: Record<string, RegExp | typeof thing> }> = {
  Organization: { source: `${google}/organization`, has: { name: text } },
  WebSite: {
    source: 'https://developers.google.com/search/docs/appearance/site-names',
    has: { name: text, url: address },
  },
  BlogPosting: {
    source: `${google}/article`,
    has: {
      headline: /^.{1,110}$/,
      image: address,
      datePublished: date,
      dateModified: date,
      author: thing,
      publisher: thing,
      description: text,
      mainEntityOfPage: address,
    },
  },
  BreadcrumbList: { source: `${google}/breadcrumb`, has: { itemListElement: thing } },
  ItemList: { source: 'https://schema.org/ItemList', has: { itemListElement: thing } },
  ListItem: { source: `${google}/breadcrumb`, has: { position: /^[1-9]\d*$/, name: text } },
  // A merchant listing needs an image; a product snippet without ratings needs offers.
  Product: {
    source: `${google}/merchant-listing`,
    has: { name: text, image: address, description: text, brand: thing, offers: thing },
  },
  SoftwareApplication: {
    source: `${google}/software-app`,
    has: { name: text, offers: thing, applicationCategory: text, operatingSystem: text },
  },
  WebApplication: {
    source: `${google}/software-app`,
    has: { name: text, offers: thing, applicationCategory: text, operatingSystem: text },
  },
  Offer: {
    source: `${google}/merchant-listing`,
    has: {
      price: amount,
      priceCurrency: currency,
      availability: /^https:\/\/schema\.org\/\w+$/,
      url: address,
    },
  },
  UnitPriceSpecification: {
    source: 'https://schema.org/UnitPriceSpecification',
    has: { price: amount, priceCurrency: currency, unitCode: /^[A-Z\d]{2,3}$/ },
  },
  Brand: { source: 'https://schema.org/Brand', has: { name: text } },
  FAQPage: { source: `${google}/faqpage`, has: { mainEntity: thing } },
  Question: { source: `${google}/faqpage`, has: { name: text, acceptedAnswer: thing } },
  Answer: { source: `${google}/faqpage`, has: { text } },
  ImageObject: { source: 'https://schema.org/ImageObject', has: { url: address } },
  CreativeWork: { source: 'https://schema.org/CreativeWork', has: { name: text, url: address } },
  InteractionCounter: {
    source: 'https://schema.org/InteractionCounter',
    has: { interactionType: /^https:\/\/schema\.org\/\w+Action$/, userInteractionCount: /^\d+$/ },
  },
  ContactPoint: { source: `${google}/organization`, has: { email: /^[^@\s]+@[^@\s]+$/ } },
  PostalAddress: { source: `${google}/organization`, has: { streetAddress: text } },
  WebPage: { source: 'https://schema.org/WebPage', has: { name: text, url: address } },
  AboutPage: { source: 'https://schema.org/AboutPage', has: { name: text, url: address } },
  ContactPage: { source: 'https://schema.org/ContactPage', has: { name: text, url: address } },
  CollectionPage: { source: 'https://schema.org/CollectionPage', has: { name: text, url: address } },
  Blog: { source: 'https://schema.org/Blog', has: { name: text, url: address } },
};

function fits(value: unknown, wanted: RegExp | typeof thing): boolean {
  const values = [value].flat();
  return (
    values.length > 0 &&
    values.every((each) =>
      wanted === thing ? isThing(each) : !isThing(each) && wanted.test(String(each ?? '')),
    )
  );
}

/** Returns a description of each missing or malformed property; a type that is not in the table is a fault, too. */
export function faultsOf(object: Thing): string[] {
  const type = types[object['@type']];
  if (!type) return [`${object['@type']} does not stand in the table of types`];
  const faults = Object.entries(type.has)
    .filter(([property, wanted]) => !fits(object[property], wanted))
    .map(
      ([property]) =>
        `${object['@type']}.${property} is ${JSON.stringify(object[property])} (${type.source})`,
    );
  return [...faults, ...listFaults(object)];
}

/** The property with the URL of an entry: `item` in a breadcrumb trail, `url` in other lists. */
const ways: Readonly<Record<string, string>> = { BreadcrumbList: 'item', ItemList: 'url' };

function listFaults(list: Thing): string[] {
  const way = ways[list['@type']];
  if (!way) return [];
  const entries = [list.itemListElement].flat().map((entry) => Object(entry));
  const inOrder = entries.length > 1 && entries.every(({ position }, at) => position === at + 1);
  const leads = entries.every((entry) => address.test(String(entry[way])));
  return inOrder && leads ? [] : [`${list['@type']} is ${JSON.stringify(entries)}`];
}
