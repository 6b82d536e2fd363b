export interface CardContent {
  eyebrow: string;
  title: string;
  text: string;
  foot: string;
  picture?: string;
}

/** Pixels of the picture that a card may have. */
export const cardPicture = { width: 400, height: 404 };
