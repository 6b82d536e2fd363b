import type { HtmlElement } from './html.ts';

/** A JSON-LD object with a type. */
export interface Thing {
  '@type': string;
  [property: string]: unknown;
}

const isThing = (value: unknown): value is Thing => typeof Object(value)['@type'] === 'string';

function typedObjects(value: unknown): Thing[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(isThing(value) ? [value] : []), ...Object.values(value).flatMap(typedObjects)];
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
      return typedObjects(data);
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
const types: Record<string, { source: string; properties: Record<string, RegExp | typeof thing> }> = {
  Organization: { source: `${google}/organization`, properties: { name: text } },
  WebSite: {
    source: 'https://developers.google.com/search/docs/appearance/site-names',
    properties: { name: text, url: address },
  },
  BlogPosting: {
    source: `${google}/article`,
    properties: {
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
  BreadcrumbList: { source: `${google}/breadcrumb`, properties: { itemListElement: thing } },
  ItemList: { source: 'https://schema.org/ItemList', properties: { itemListElement: thing } },
  ListItem: { source: `${google}/breadcrumb`, properties: { position: /^[1-9]\d*$/, name: text } },
  // A merchant listing needs an image; a product snippet without ratings needs offers.
  Product: {
    source: `${google}/merchant-listing`,
    properties: { name: text, image: address, description: text, brand: thing, offers: thing },
  },
  SoftwareApplication: {
    source: `${google}/software-app`,
    properties: { name: text, offers: thing, applicationCategory: text, operatingSystem: text },
  },
  WebApplication: {
    source: `${google}/software-app`,
    properties: { name: text, offers: thing, applicationCategory: text, operatingSystem: text },
  },
  Offer: {
    source: `${google}/merchant-listing`,
    properties: {
      price: amount,
      priceCurrency: currency,
      availability: /^https:\/\/schema\.org\/\w+$/,
      url: address,
    },
  },
  UnitPriceSpecification: {
    source: 'https://schema.org/UnitPriceSpecification',
    properties: { price: amount, priceCurrency: currency, unitCode: /^[A-Z\d]{2,3}$/ },
  },
  Brand: { source: 'https://schema.org/Brand', properties: { name: text } },
  FAQPage: { source: `${google}/faqpage`, properties: { mainEntity: thing } },
  Question: { source: `${google}/faqpage`, properties: { name: text, acceptedAnswer: thing } },
  Answer: { source: `${google}/faqpage`, properties: { text } },
  ImageObject: { source: 'https://schema.org/ImageObject', properties: { url: address } },
  CreativeWork: { source: 'https://schema.org/CreativeWork', properties: { name: text, url: address } },
  InteractionCounter: {
    source: 'https://schema.org/InteractionCounter',
    properties: { interactionType: /^https:\/\/schema\.org\/\w+Action$/, userInteractionCount: /^\d+$/ },
  },
  ContactPoint: { source: `${google}/organization`, properties: { email: /^[^@\s]+@[^@\s]+$/ } },
  PostalAddress: { source: `${google}/organization`, properties: { streetAddress: text } },
  WebPage: { source: 'https://schema.org/WebPage', properties: { name: text, url: address } },
  AboutPage: { source: 'https://schema.org/AboutPage', properties: { name: text, url: address } },
  ContactPage: { source: 'https://schema.org/ContactPage', properties: { name: text, url: address } },
  CollectionPage: { source: 'https://schema.org/CollectionPage', properties: { name: text, url: address } },
  Blog: { source: 'https://schema.org/Blog', properties: { name: text, url: address } },
};

function matches(value: unknown, expected: RegExp | typeof thing): boolean {
  const values = [value].flat();
  return (
    values.length > 0 &&
    values.every((each) =>
      expected === thing ? isThing(each) : !isThing(each) && expected.test(String(each ?? '')),
    )
  );
}

/** Returns a description of each missing or malformed property; a type that is not in the table is a fault, too. */
export function faultsOf(object: Thing): string[] {
  const type = types[object['@type']];
  if (!type) return [`${object['@type']} does not stand in the table of types`];
  const faults = Object.entries(type.properties)
    .filter(([property, expected]) => !matches(object[property], expected))
    .map(
      ([property]) =>
        `${object['@type']}.${property} is ${JSON.stringify(object[property])} (${type.source})`,
    );
  return [...faults, ...listFaults(object)];
}

/** The property with the URL of an entry: `item` in a breadcrumb trail, `url` in other lists. */
const urlProperties: Readonly<Record<string, string>> = { BreadcrumbList: 'item', ItemList: 'url' };

function listFaults(list: Thing): string[] {
  const urlProperty = urlProperties[list['@type']];
  if (!urlProperty) return [];
  const entries = [list.itemListElement].flat().map((entry) => Object(entry));
  const inOrder = entries.length > 1 && entries.every(({ position }, at) => position === at + 1);
  const haveUrls = entries.every((entry) => address.test(String(entry[urlProperty])));
  return inOrder && haveUrls ? [] : [`${list['@type']} is ${JSON.stringify(entries)}`];
}
