export interface CardContent {
  eyebrow: string;
  title: string;
  text: string;
  foot: string;
  picture?: string;
}

export const cardPicture = { width: 400, height: 404 };
