export interface CardContent {
  eyebrow: string;
  title: string;
  text: string;
  foot: string;
  picture?: string;
  /** Shown above the title, with the name next to it if `withName`. */
  logo?: { png: string; width: number; height: number; withName: boolean };
}

export const cardPicture = { width: 400, height: 404 };
