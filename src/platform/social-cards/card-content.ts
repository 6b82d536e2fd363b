export interface CardContent {
  eyebrow: string;
  title: string;
  text: string;
  foot: string;
  picture?: string;
  /** Above the title; one without the name has that beside it. */
  logo?: { png: string; width: number; height: number; withName: boolean };
}

export const cardPicture = { width: 400, height: 404 };
